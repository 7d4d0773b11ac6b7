/**
 * Reads the package's public declarations from its `.d.ts` files.
 *
 * Relies only on the form that the compiler generates: a doc comment, then a declaration that ends with `;` or with a
 * body in braces.
 */

import { readFileSync } from "node:fs";
import { join, posix } from "node:path";

/**
 * Returns the declarations that `entry` in `folder` exports, by name, in the order of the exports.
 */
export function publicOf(folder, entry) {
  const files = new Map();
  const declarationsOf = (file) => {
    if (!files.has(file)) files.set(file, declarationsIn(readFileSync(join(folder, file), "utf8"), file));
    return files.get(file);
  };
  const found = new Map();
  const take = (file, wanted, typesOnly) => {
    for (const declaration of declarationsOf(file)) {
      const { kind, name, from, names } = declaration;
      if (kind === "export") {
        const ofThose = names ? new Set(names.filter((name) => !wanted || wanted.has(name))) : wanted;
        take(from, ofThose, typesOnly || declaration.typesOnly);
      } else if (declaration.exported && (!wanted || wanted.has(name)) && !(typesOnly && /function|const/.test(kind))) {
        const same = found.get(name);
        found.set(name, same && same.file === file ? merged(same, declaration) : declaration);
      }
    }
  };
  take(`${entry}.d.ts`, null, false);
  for (const declaration of found.values()) inherit(declaration, found, declarationsOf);
  return found;
}

/** Adds the members of bases that the package doesn't export to the declaration. */
function inherit(declaration, found, declarationsOf) {
  for (const base of declaration.bases) {
    if (found.has(base)) continue;
    const hidden =
      declarationsOf(declaration.file).find(({ name }) => name === base) ?? imported(base, declaration, declarationsOf);
    if (hidden?.kind === "type")
      throw new Error(`${declaration.name} extends ${base}, whose members can't be read; make it an interface`);
    if (hidden?.kind !== "class" && hidden?.kind !== "interface") continue;
    inherit(hidden, found, declarationsOf);
    declaration.members = joined([...declaration.members, ...hidden.members]);
  }
}

function imported(name, { file }, declarationsOf) {
  const source = declarationsOf(file).find(({ kind, names }) => kind === "import" && names.includes(name));
  return source && declarationsOf(source.from).find((declaration) => declaration.name === name);
}

/** Merges two declarations of one name: a class with an interface, or overloads of a function. */
function merged(a, b) {
  if (a.kind === "function") return { ...a, signatures: [...a.signatures, ...b.signatures] };
  const main = a.kind === "class" ? a : b;
  const other = main === a ? b : a;
  return {
    ...main,
    doc: main.doc || other.doc,
    members: joined([...main.members, ...other.members]),
    bases: [...main.bases, ...other.bases],
  };
}

/** Returns the declarations of a file, in order. */
export function declarationsIn(text, file) {
  return statementsOf(text).flatMap(({ doc, code }) => declarationOf(doc, code, file) ?? []);
}

function declarationOf(doc, code, file) {
  const [, kindOfLink, typesOnly, list, from] =
    /^(import|export) (type )?(?:\*|\{([\s\S]*)\}) from "(\.\.?\/[\w/.-]+)\.js"/.exec(code) ?? [];
  if (from) {
    const names = list
      ?.split(",")
      .map((name) => name.trim().replace(/^type /, ""))
      .filter(Boolean);
    return {
      kind: kindOfLink,
      from: posix.join(posix.dirname(file), `${from}.d.ts`),
      names,
      typesOnly: typesOnly !== undefined,
    };
  }
  const head = /^(export )?(?:declare )?(?:abstract )?(class|interface|type|function|const) (\w+)/.exec(code);
  if (!head) return undefined;
  const [, exported, kind, name] = head;
  const declaration = { kind, name, doc, file, exported: exported !== undefined, bases: [], members: [] };
  if (kind === "class" || kind === "interface") {
    const open = bodyAt(code, head[0].length);
    declaration.bases = namesIn(/(?:extends|implements) ([^{]*)$/.exec(code.slice(0, open))?.[1] ?? "");
    declaration.members = joined(statementsOf(code.slice(open + 1, code.lastIndexOf("}"))).flatMap(memberOf));
    return declaration;
  }
  const signature = code
    .replace(/^export /, "")
    .replace(/^declare /, "")
    .replace(/;$/, "");
  if (kind === "function") return { ...declaration, signatures: [signature.replace(/^function /, "")] };
  if (kind === "const") {
    const open = code.indexOf("{");
    if (open >= 0)
      declaration.members = joined(statementsOf(code.slice(open + 1, code.lastIndexOf("}"))).flatMap(memberOf));
  }
  return { ...declaration, signature };
}

/** Returns the offset of a body's `{`. Braces inside angle brackets, as in type parameters and bases, are skipped. */
function bodyAt(code, from) {
  let angles = 0;
  for (let at = from; at < code.length; at++) {
    if (code[at] === "<") angles++;
    else if (code[at] === ">" && code[at - 1] !== "=") angles--;
    else if (code[at] === "{" && angles === 0) return at;
  }
  throw new Error(`this declaration has no body: ${code.slice(0, 80)}`);
}

function namesIn(list) {
  return [
    ...list
      .replace(/\bReadonly</g, "")
      .replace(/<[^<>]*>/g, "")
      .matchAll(/\b[A-Z]\w*/g),
  ].map(([name]) => name);
}

function memberOf({ doc, code }) {
  const text = code.replace(/;$/, "");
  if (/^(#|private |protected |\[)/.test(text)) return [];
  const [, words, accessor, name, optional] =
    /^((?:static |readonly |abstract )*)(?:(get|set) (?=\w))?([\w$]+|"[^"]+")(\??)/.exec(text) ?? [];
  if (!name) throw new Error(`a member that can't be read: ${text}`);
  const rest = text.slice(
    /^((?:static |readonly |abstract )*)(?:(get|set) (?=\w))?([\w$]+|"[^"]+")(\??)/.exec(text)[0].length,
  );
  const kind = accessor ? "property" : /^[<(]/.test(rest) ? "method" : "property";
  const type =
    accessor === "set"
      ? /^\([^:]*: ([\s\S]*)\)$/.exec(rest)?.[1]
      : rest.replace(/^\([^)]*\)(?=:)/, accessor ? "" : "$&").replace(/^: /, "");
  return [
    {
      kind,
      name: name.replace(/"/g, ""),
      doc,
      isStatic: words.includes("static"),
      isReadonly: words.includes("readonly"),
      isOptional: optional === "?",
      accessors: accessor ? [accessor] : [],
      // A method has a signature for each overload, with parameters and return type. A property has a type.
      signatures: kind === "method" ? [rest] : [],
      type: kind === "property" ? type : "",
    },
  ];
}

/** Merges a getter with its setter, and the overloads of a method, into one member each. */
function joined(members) {
  const byName = new Map();
  for (const member of members) {
    const key = `${member.isStatic ? "static " : ""}${member.name}`;
    const same = byName.get(key);
    if (!same) byName.set(key, { ...member });
    else {
      same.doc ||= member.doc;
      if (member.accessors.includes("get")) same.type = member.type;
      same.accessors = [...same.accessors, ...member.accessors];
      same.signatures = [...same.signatures, ...member.signatures];
    }
  }
  for (const member of byName.values()) {
    if (member.accessors.length > 0) member.isReadonly = !member.accessors.includes("set");
  }
  return [...byName.values()];
}

/** Returns the statements at the outermost level of a text, each with its doc comment. */
export function statementsOf(text) {
  const found = [];
  let doc = "";
  let at = 0;
  while (at < text.length) {
    const space = /^(?:\s+|\/\/[^\n]*)+/.exec(text.slice(at));
    if (space) at += space[0].length;
    if (at >= text.length) break;
    if (text.startsWith("/*", at)) {
      const end = text.indexOf("*/", at) + 2;
      if (text.startsWith("/**", at)) doc = plain(text.slice(at, end));
      at = end;
      continue;
    }
    const end = endOf(text, at);
    const code = text.slice(at, end).trim();
    if (code !== ";") found.push({ doc, code });
    doc = "";
    at = end;
  }
  return found;
}

/** Returns the offset after a statement, which ends with `;` at depth 0 or with the `}` of its body. */
function endOf(text, from) {
  let depth = 0;
  const bodied = /^(?:export )?(?:declare )?(?:abstract )?(?:class|interface|global|namespace|module|enum)\b/.test(
    text.slice(from),
  );
  for (let at = bodied ? bodyAt(text, from) : from; at < text.length; at++) {
    const letter = text[at];
    if (letter === '"' || letter === "'" || letter === "`") at = text.indexOf(letter, at + 1);
    else if (letter === "/" && text[at + 1] === "*") at = text.indexOf("*/", at) + 1;
    else if ("({[".includes(letter)) depth++;
    else if (")}]".includes(letter)) {
      depth--;
      if (bodied && depth === 0 && letter === "}") return at + 1;
    } else if (letter === ";" && depth === 0) return at + 1;
  }
  return text.length;
}

/** Returns the text of a doc comment, without its delimiters. */
function plain(comment) {
  return comment
    .slice(3, -2)
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, "").trimEnd())
    .join("\n")
    .trim();
}
