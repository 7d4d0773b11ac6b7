//! Removes what the package doesn't use from the glue that wasm-bindgen writes.
//!
//! `www/element/engine` fetches and instantiates the wasm itself, and the supported browsers have the functions that
//! the glue replaces in older ones. Each piece is matched as wasm-bindgen writes it: if an update changes one, the
//! build fails.

/// A piece of the glue and its replacement.
struct Edit {
    from: &'static str,
    to: &'static str,
}

const EDITS: &[Edit] = &[
    // Terser then removes the loaders as dead code. Two copies of the package can share the glue: the second start
    // changes nothing.
    Edit {
        from: "export { initSync, __wbg_init as default };",
        to: "function start(instance, module) {
    wasm ?? __wbg_finalize_init(instance, module);
}
export { __wbg_get_imports as imports, start };",
    },
    Edit {
        from: "(typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : ",
        to: "",
    },
    Edit {
        from: "
if (!('encodeInto' in cachedTextEncoder)) {
    cachedTextEncoder.encodeInto = function (arg, view) {
        const buf = cachedTextEncoder.encode(arg);
        view.set(buf);
        return {
            read: arg.length,
            written: buf.length
        };
    };
}
",
        to: "",
    },
    // Each module exports its `realloc`, which the glue always passes.
    Edit {
        from: "    if (realloc === undefined) {
        const buf = cachedTextEncoder.encode(arg);
        const ptr = malloc(buf.length, 1) >>> 0;
        getUint8ArrayMemory0().subarray(ptr, ptr + buf.length).set(buf);
        WASM_VECTOR_LEN = buf.length;
        return ptr;
    }
",
        to: "",
    },
    // Memory that has grown has another buffer.
    Edit {
        from: "cachedDataViewMemory0 === null || cachedDataViewMemory0.buffer.detached === true || \
               (cachedDataViewMemory0.buffer.detached === undefined && \
               cachedDataViewMemory0.buffer !== wasm.memory.buffer)",
        to: "cachedDataViewMemory0?.buffer !== wasm.memory.buffer",
    },
];

/// Methods check that their object belongs to the current instance. The check becomes a function, which returns the
/// object's pointer.
const STALE: &str = "if (this.__wbg_inst !== undefined && this.__wbg_inst !== __wbg_instance_id) {
    throw new Error('Invalid stale object from previous Wasm instance');
}
";
const CURRENT: &str = "
function current(object) {
    if (object.__wbg_inst !== __wbg_instance_id) {
        throw new Error('Invalid stale object from previous Wasm instance');
    }
    return object.__wbg_ptr;
}
";

/// Each call of the module resets the instance first if Rust has asked for that, which it never does.
const GUARD: &str = "__wbg_call_guard();\n";
const RESET: &str = "__wbg_reinit_scheduled = true";

/// The package frees objects by `free` alone.
const DISPOSE: &str = "if (Symbol.dispose) ";

/// Returns the trimmed glue.
///
/// # Errors
///
/// When the glue has an unexpected form.
pub(super) fn trim(glue: &str) -> Result<String, String> {
    let mut glue = glue.to_owned();
    for Edit { from, to } in EDITS {
        glue = replace(&glue, from, to)?;
    }
    if glue.contains(RESET) {
        return Err(format!("wasm-bindgen's output has a text that `trim_glue.rs` doesn't expect:\n{RESET}"));
    }
    for depth in [4, 8, 12] {
        let indent = format!("{:depth$}", "");
        glue = glue.replace(
            &format!("{indent}let ret;\n{indent}{GUARD}{indent}ret ="),
            &format!("{indent}const ret ="),
        );
    }
    glue = replace(&glue, GUARD, "")?;
    for depth in [8, 12] {
        let indented = STALE.trim_end().replace('\n', &format!("\n{:depth$}", ""));
        glue = glue.replace(&indented, "const self = current(this);");
    }
    glue = replace(&glue, "(this.__wbg_ptr", "(self")?;
    if glue.contains("this.__wbg_inst !==") {
        return Err(unexpected(STALE));
    }
    glue.push_str(CURRENT);
    if !glue.contains(DISPOSE) {
        return Err(unexpected(DISPOSE));
    }
    Ok(glue.lines().filter(|line| !line.starts_with(DISPOSE)).map(|line| format!("{line}\n")).collect())
}

fn replace(glue: &str, from: &str, to: &str) -> Result<String, String> {
    if glue.contains(from) { Ok(glue.replace(from, to)) } else { Err(unexpected(from)) }
}

fn unexpected(piece: &str) -> String {
    format!("wasm-bindgen's output lacks the text that `trim_glue.rs` replaces:\n{piece}")
}

/// Adapts the declarations to the trimmed glue and to those of the package: returned bytes are copies in memory that
/// isn't shared.
///
/// # Errors
///
/// When the declarations have an unexpected form.
pub(super) fn trim_declarations(declarations: &str) -> Result<String, String> {
    let (exports, _) = declarations
        .split_once("export type InitInput")
        .ok_or_else(|| unexpected("export type InitInput"))?;
    let exports = exports
        .replace("): Uint8Array;", "): Uint8Array<ArrayBuffer>;")
        .replace("    [Symbol.dispose](): void;\n", "");
    Ok(exports + START)
}

const START: &str = "export function imports(): WebAssembly.Imports;
export function start(instance: WebAssembly.Instance, module: WebAssembly.Module): void;
";

#[cfg(test)]
mod tests {
    use super::{CURRENT, DISPOSE, EDITS, GUARD, RESET, STALE, trim, trim_declarations};

    const CALLS: &str = "__wbg_call_guard();
        wasm.free(this.__wbg_ptr);
        let ret;
        __wbg_call_guard();
        ret = wasm.count();
";

    /// Returns glue with every piece that is replaced, except one.
    fn glue_without(left_out: &str) -> String {
        let stale = STALE.trim_end().replace('\n', "\n        ");
        let method = format!("    free() {{\n        {stale}\n        {CALLS}    }}\n");
        let dispose = format!("{DISPOSE}Box.prototype[Symbol.dispose] = Box.prototype.free;\n");
        let pieces = EDITS.iter().map(|edit| edit.from).chain([method.as_str(), &dispose]);
        pieces.map(|piece| piece.replacen(left_out, "", usize::from(!left_out.is_empty()))).collect()
    }

    #[test]
    fn pieces_are_replaced_and_methods_check_their_object_by_a_function() {
        let trimmed = trim(&glue_without("")).expect("it has every piece");
        for edit in EDITS {
            assert!(!trimmed.contains(edit.from) && trimmed.contains(edit.to.trim_end()), "{}", edit.from);
        }
        let method = "    free() {
        const self = current(this);
                wasm.free(self);
        const ret = wasm.count();
    }";
        assert!(trimmed.contains(method));
        assert!(trimmed.ends_with(CURRENT) && !trimmed.contains(DISPOSE));
    }

    #[test]
    fn glue_of_another_form_is_refused() {
        for piece in EDITS.iter().map(|edit| edit.from).chain(["(this.__wbg_ptr", GUARD, DISPOSE]) {
            let refused = trim(&glue_without(piece)).expect_err(piece);
            assert!(refused.contains(piece), "{refused}");
        }
        let other = glue_without("").replace("Invalid stale object", "Stale object");
        assert!(trim(&other).expect_err("a method has another check").contains("__wbg_inst"));
        assert!(trim(&(glue_without("") + RESET)).expect_err("something asks for a reset").contains(RESET));
    }

    #[test]
    fn declarations_end_where_the_loaders_begin() {
        let declarations = "export class Box {
    free(): void;
    [Symbol.dispose](): void;
    take(): Uint8Array;
}
export type InitInput = string;
";
        let expected = "export class Box {
    free(): void;
    take(): Uint8Array<ArrayBuffer>;
}
export function imports";
        assert!(trim_declarations(declarations).expect("it has loaders").starts_with(expected));
        assert!(trim_declarations("export class Box {}").is_err());
    }
}
