//! Shortens a shader module to what its parts leave: without branches that constants rule out, and without
//! declarations that nothing refers to. Half of a module or more is for parts that a model lacks, and Chromium
//! translates the rest in half the time.
//!
//! The minified form of a module is read (`build/condense.rs`): it has no comments, and no white space beside
//! punctuation. It is read by bytes, which takes the least code.

use super::shader_parts::ShaderParts;

/// Returns what the parts leave of a minified module. The order of the declarations changes, which WGSL permits.
///
/// The functions that run for long aren't inlined, so that browsers don't compile the caller again meanwhile.
#[inline(never)]
pub fn pruned(module: &str, parts: ShaderParts) -> String {
    let mut constants = Constants { parts, found: Vec::new() };
    let mut rest = module.as_bytes();
    while let Some(declaration) = next_declaration(&mut rest) {
        constants.add(declaration);
    }
    let mut live = Vec::with_capacity(module.len());
    constants.push_live(module.as_bytes(), &mut live);

    let mut others = Vec::new();
    let mut pending = Vec::new();
    let mut rest = live.as_slice();
    while let Some(text) = next_declaration(&mut rest) {
        match text {
            [b'@', b'v' | b'f', ..] => pending.push(text),
            _ => others.push((name_of(text), text)),
        }
    }
    let mut short = Vec::with_capacity(live.len());
    while let Some(mut text) = pending.pop() {
        short.extend_from_slice(text);
        while let Some(word) = next_word(&mut text) {
            if let Some(index) = index_of(word, &others) {
                pending.push(others.swap_remove(index).1);
            }
        }
    }
    String::from_utf8(short).unwrap_or_default()
}

/// Returns the index of the declaration with a name.
#[inline(never)]
fn index_of(name: &[u8], declarations: &[(&[u8], &[u8])]) -> Option<usize> {
    declarations.iter().position(|(declared, _)| *declared == name)
}

/// Removes the next declaration from the beginning of a module.
fn next_declaration<'a>(module: &mut &'a [u8]) -> Option<&'a [u8]> {
    let end = module.iter().position(|byte| matches!(byte, b';' | b'{'))?;
    let end = if module[end] == b'{' { end_of_block(module, end) } else { end };
    let (declaration, rest) = module.split_at(end + 1);
    *module = rest;
    Some(declaration)
}

/// Returns the place of the brace that closes the one at `open`.
#[inline(never)]
fn end_of_block(text: &[u8], open: usize) -> usize {
    let (mut at, mut depth) = (open, 0);
    while at + 1 < text.len() {
        match text[at] {
            b'{' => depth += 1,
            b'}' if depth == 1 => break,
            b'}' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    at
}

/// Removes the next name, keyword or number from the beginning of a text, and what precedes it.
#[inline(never)]
fn next_word<'a>(text: &mut &'a [u8]) -> Option<&'a [u8]> {
    let is_in_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let start = text.iter().position(is_in_word)?;
    let after = &text[start..];
    let length = after.iter().position(|byte| !is_in_word(byte)).unwrap_or(after.len());
    let (word, rest) = after.split_at(length);
    *text = rest;
    Some(word)
}

/// Returns the name that a declaration declares: the word before the type of a variable, or else the second one.
fn name_of(mut declaration: &[u8]) -> &[u8] {
    let is_variable = matches!(declaration, [b'@' | b'v', ..]);
    let end = declaration.iter().position(|&byte| byte == b':').filter(|_| is_variable);
    declaration = &declaration[..end.unwrap_or(declaration.len())];
    let mut name = next_word(&mut declaration);
    while let Some(word) = next_word(&mut declaration) {
        name = Some(word);
        if !is_variable {
            break;
        }
    }
    name.unwrap_or_default()
}

/// The names and values of the constants that parts determine.
struct Constants<'a> {
    parts: ShaderParts,
    found: Vec<(&'a [u8], bool)>,
}

impl<'a> Constants<'a> {
    /// Reads `const NAME=(PARTS&BITS)!=0;`, `const NAME=true;` or `const NAME=false;`.
    fn add(&mut self, mut declaration: &'a [u8]) {
        if !declaration.starts_with(b"const ") {
            return;
        }
        next_word(&mut declaration);
        let Some(name) = next_word(&mut declaration) else { return };
        let value = match next_word(&mut declaration) {
            Some(b"PARTS") => {
                let digits = next_word(&mut declaration).unwrap_or_default();
                self.parts.has_any(digits.iter().fold(0, |number, digit| number * 10 + u32::from(digit & 15)))
            }
            Some(b"true") => true,
            Some(b"false") => false,
            _ => return,
        };
        self.found.push((name, value));
    }

    /// Appends a module, a declaration or statements without branches that are ruled out. Returns whether the last
    /// statement is `return`.
    fn push_live(&self, text: &[u8], live: &mut Vec<u8>) -> bool {
        let mut rest = text;
        while let Some(open) = rest.iter().position(|&byte| byte == b'{') {
            let end = end_of_block(rest, open);
            let (head, mut block) = (&rest[..open], &rest[open + 1..end]);
            rest = &rest[end + 1..];
            let start = last_statement(head);
            let holds = head[start..].strip_prefix(b"if").and_then(|condition| self.value(condition));
            live.extend_from_slice(if holds.is_some() { &head[..start] } else { head });
            if let Some(holds) = holds {
                let mut otherwise: &[u8] = b"";
                if rest.starts_with(b"else{") {
                    let end = end_of_block(rest, 4);
                    (otherwise, rest) = (&rest[5..end], &rest[end + 1..]);
                }
                if !holds {
                    block = otherwise;
                }
            }
            // With braces, since a name of the block may be declared outside it, too.
            live.push(b'{');
            let returns = self.push_live(block, live);
            live.push(b'}');
            if returns && holds.is_some() {
                return true;
            }
        }
        live.extend_from_slice(rest);
        let last = rest.strip_suffix(b";").unwrap_or_default();
        last[last_statement(last)..].starts_with(b"return")
    }

    /// Returns the value of a condition, unless it depends on something else.
    fn value(&self, condition: &[u8]) -> Option<bool> {
        for operator in [b'|', b'&'] {
            let Some(at) = place_of(operator, condition) else { continue };
            let (one, other) = (self.value(&condition[..at]), self.value(&condition[at + 2..]));
            let decides = Some(operator == b'|');
            return if one == decides || other == decides { decides } else { one.and(other) };
        }
        match condition {
            [b' ', inner @ ..] | [b'(', inner @ .., b')'] => self.value(inner),
            [b'!', negated @ ..] => self.value(negated).map(|holds| !holds),
            name => self.found.iter().find(|(found, _)| *found == name).map(|(_, value)| *value),
        }
    }
}

/// Returns where the last statement begins.
fn last_statement(statements: &[u8]) -> usize {
    statements.iter().rposition(|&byte| byte == b';').map_or(0, |end| end + 1)
}

/// Returns the place of an operator of two equal bytes outside of parentheses.
fn place_of(operator: u8, condition: &[u8]) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, &byte) in condition.iter().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.checked_sub(1)?,
            _ if depth == 0 && byte == operator && condition.get(at + 1) == Some(&operator) => {
                return Some(at);
            }
            _ => {}
        }
    }
    None
}
