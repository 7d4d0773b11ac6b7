/**
 * Shortens the glue that wasm-bindgen writes: what it repeats for each class, argument and result becomes a function.
 * A method is one expression afterwards:
 *
 *     setLayer(name, options) {
 *         checked(wasm.bi(current(this), passString(name), WASM_VECTOR_LEN, passString(options), WASM_VECTOR_LEN), 0);
 *     }
 *
 * Each piece is matched as wasm-bindgen writes it: if an update changes one, the build fails.
 */

/** Returns the pattern of consecutive lines, which may be indented. */
function lines(...patterns) {
  return new RegExp(patterns.map((pattern) => pattern.source).join("\\n *"), "g");
}

/** Lines as far as the next one of the pattern. */
const MORE = /(?:.*\n)*?/.source;

/**
 * Pieces of the glue, in the order in which they are replaced. `left` is what would remain of a piece that has another
 * form.
 */
const RULES = [
  {
    // If an argument can't be passed, those before it would be freed. The package checks arguments before, and an
    // instance whose memory can't grow is discarded.
    from: lines(
      /let ptr0[^;]*;/,
      /try \{/,
      /((?: *(?:ptr|len)\d+ = .*\n)+) *\} catch \(e\) \{/,
      /(?: *if \(ptr.*\n)+ *throw e;/,
      /\}/,
    ),
    to: (_, passes) => passes.replace(/^ *(?=ptr|len)/gm, "$&const ").trim(),
    left: /if \(ptr0\)/,
  },
  {
    from: lines(
      /( *)let deferred(\d)_0;/,
      /let deferred\2_1;/,
      new RegExp(String.raw`try \{\n(${MORE}) *deferred\2_0 = ret\[0\];`),
      /deferred\2_1 = ret\[1\];/,
      /return getStringFromWasm0\(ret\[0\], ret\[1\]\);/,
      /\} finally \{/,
      /wasm\.\w+\(deferred\2_0, deferred\2_1, 1\);/,
      /\}/,
    ),
    to: "$3$1return taken(getStringFromWasm0, ret, 1);",
    left: /return getStringFromWasm0\(ret/,
  },
  {
    from: lines(
      /var (v\d) = (getArray\w+)\(ret\[0\], ret\[1\]\)(?:\.slice\(\))?;/,
      /wasm\.\w+\(ret\[0\], ret\[1\] \* (\d), \3\);/,
      /return \1;/,
    ),
    to: "return taken($2, ret, $3);",
    left: /getArray\w+\(ret/,
  },
  {
    from: lines(/const ret = (.*);/, /if \(ret\[\d\]\) \{/, /throw takeFromExternrefTable0\(ret\[(\d)\]\);/, /\}/),
    to: "const ret = checked($1, $2);",
    left: /throw takeFromExternrefTable0/,
  },
  {
    from: lines(
      /if \(\((\w+)\)\.__wbg_inst !== undefined && \(\1\)\.__wbg_inst !== __wbg_instance_id\) \{/,
      /throw .*/,
      /\}\n/,
    ),
    to: "",
    left: /\(\w+\)\.__wbg_inst/,
  },
  {
    from: /isLikeNone\((\w+)\) \? 0 : addToExternrefTable0\(\1\)/g,
    to: "orNone($1)",
    left: /\? 0 : addToExternrefTable0/,
  },
  {
    from: /isLikeNone\((\w+)\) \? Number\.MAX_SAFE_INTEGER : \(\1\) >>> 0/g,
    to: "orNoIndex($1)",
    left: /MAX_SAFE_INTEGER(?! : Math\.fround)/,
  },
  {
    from: /(pass\w+ToWasm0\(\w+), (?:wasm\.\w+|malloc)(?:, (?:wasm\.\w+|realloc))?\)/g,
    to: "$1)",
    left: /pass\w+ToWasm0\(\w+, /,
  },
  { from: /\b(m|re)alloc\(/g, to: "EXPORT_$1alloc(", left: / (m|re)alloc\b/ },
  {
    from: new RegExp(String.raw`let cached(\w+)Memory0 = null;\nfunction get\1Memory0\(\) \{\n${MORE}\}\n`, "g"),
    to: "function get$1Memory0() {\n    return views().$1;\n}\n",
    left: /Memory0 === null/,
  },
  { from: / *cached\w+Memory0 = null;\n/g, to: "", left: /cached\w+Memory0/ },
  {
    from: lines(
      new RegExp(
        String.raw`class (\w+) \{\n(?: *static __wrap\(ptr\) \{\n${MORE} {4}\}\n)? *__destroy_into_raw\(\) \{`,
      ),
      new RegExp(String.raw`${MORE} {4}\}`),
      /free\(\) \{/,
      /const ptr = this\.__destroy_into_raw\(\);/,
      /(wasm\.\w+)\(ptr, 0\);\n/,
      /\}\n/,
    ),
    to: "class $1 extends Owned {\n    __free(ptr, isCollected) {\n        $2(ptr, isCollected);\n    }\n",
    left: /__destroy_into_raw/,
  },
  {
    from: lines(/const \w+Finalization = new FinalizationRegistry\(\(\{ ptr, instance \}\) => \{/, /if .*/, /\}\);\n/),
    to: "",
    left: /const \w+Finalization/,
  },
  {
    from: lines(
      /const ret = (.*);/,
      /this\.__wbg_ptr = ret;/,
      /Object\.defineProperty\(this, '__wbg_inst'.*/,
      /\w+Finalization\.register.*/,
      /return this;/,
    ),
    to: "super($1);",
    left: /Finalization\./,
  },
  {
    // The supported browsers have `globalThis`, and it is each of these.
    from: /typeof (globalThis|global|self|window) === 'undefined' \? undefined : \1/g,
    to: "globalThis",
    left: /typeof (globalThis|global|self|window)\b/,
  },
  {
    from: new RegExp(
      String.raw`function\(\) \{ return handleError\(function \((.*)\) \{\n(${MORE}) *\}, arguments\); \}`,
      "g",
    ),
    to: "function($1) { return handleError(() => {\n$2}); }",
    left: /, arguments\)/,
  },
  {
    from: /handleError\(f, args\)|f\.apply\(this, args\)/g,
    to: (call) => (call[0] === "f" ? "f()" : "handleError(f)"),
    left: /, args\)/,
  },
  { from: /(\w+)\.__wrap\(/g, to: "owned(Object.create($1.prototype), ", left: /__wrap/ },
];

/** Exports that the shortened glue calls, as pieces that are replaced name them. */
const EXPORTS = {
  EXPORT_malloc: /passString\w+\(\w+, (wasm\.\w+)/,
  EXPORT_realloc: /passString\w+\(\w+, wasm\.\w+, (wasm\.\w+)/,
  EXPORT_free: /(wasm\.\w+)\(ret\[0\], ret\[1\] \* \d, \d\)/,
  EXPORT_memory: /new Uint8Array\((wasm\.\w+)\.buffer\)/,
};

/** What the replaced pieces call. The minifier removes what nothing calls. */
const HELPERS = `
/** An object of Rust. Each is freed once: by a call, or when it has been garbage collected. */
class Owned {
    constructor(ptr) {
        owned(this, ptr);
    }
    free() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        OWNED.unregister(this);
        this.__free(ptr, 0);
    }
}
const OWNED = new FinalizationRegistry(({ ptr, instance, free }) => {
    if (instance === __wbg_instance_id) {
        free(ptr, 1);
    }
});
function owned(object, ptr) {
    object.__wbg_ptr = ptr;
    object.__wbg_inst = __wbg_instance_id;
    OWNED.register(object, { ptr, instance: __wbg_instance_id, free: object.__free }, object);
    return object;
}
/** Returns the pointer of an argument. */
function given(object, klass) {
    _assertClass(object, klass);
    return current(object);
}
function orNone(value) {
    return isLikeNone(value) ? 0 : addToExternrefTable0(value);
}
function orNoIndex(value) {
    return isLikeNone(value) ? Number.MAX_SAFE_INTEGER : value >>> 0;
}
/** Returns a copy of a list or text, and frees it. */
function taken(read, ret, size) {
    const copy = read(ret[0], ret[1]).slice();
    EXPORT_free(ret[0], ret[1] * size, size);
    return copy;
}
/** Returns the results of a call, or throws its error, which is at this place of them. */
function checked(ret, error) {
    if (ret[error + 1]) {
        throw takeFromExternrefTable0(ret[error]);
    }
    return ret;
}
let viewed;
/** Returns a view of each type. Memory that has grown has another buffer. */
function views() {
    const { buffer } = EXPORT_memory;
    if (viewed?.buffer !== buffer) {
        viewed = { buffer };
        for (const View of [DataView, Float32Array, Float64Array, Int32Array, Uint32Array, Uint8Array]) {
            viewed[View.name] = new View(buffer);
        }
    }
    return viewed;
}
`;

/** A value that a call passes: an object, a number, or the place or the length of a list or text in memory. */
const VALUE = /(?:const|var) (self|(?:val|ptr|len)\d+) = (.*);|_assertClass\((\w+), (\w+)\);/;
/** Values, and the call with its arguments. */
const CALL =
  /((?: *(?:(?:const|var) (?:self|(?:val|ptr|len)\d+) =|_assertClass\().+\n)+)(.*\b(?:wasm|parts\.\w+)\.\w+\()(.*\n)/g;

/** A method or a function. */
const FUNCTION = /^( {4}|)(?:export function |function |get |set )?\w+ ?\(.*\) \{\n(?:(?!\1\}).*\n)*\1\}\n/gm;

/**
 * Returns the shortened glue.
 *
 * @throws if a piece has an unexpected form
 */
export function shorten(glue) {
  let short = glue;
  for (const { from, to, left } of RULES) {
    short = short.replace(from, to);
    if (left.test(short)) throw unexpected(left);
  }
  short = HELPERS + short.replace(FUNCTION, (text) => text.replace(CALL, passDirectly));
  for (const [name, pattern] of Object.entries(EXPORTS)) {
    const [, found] = glue.match(pattern) ?? [];
    if (!found) throw unexpected(pattern);
    short = short.replaceAll(name, found);
  }
  return short;
}

/** Puts the values of a call where it passes them. They are evaluated in the same order. */
function passDirectly(all, values, call, args, at, text) {
  const rest = text.slice(at + all.length);
  const names = [];
  let passed = args;
  for (const line of values.trim().split("\n")) {
    const [, name, value, object, klass] = line.match(VALUE);
    const [from, to] = name ? [name, value] : [`${object}.__wbg_ptr`, `given(${object}, ${klass})`];
    names.push(from);
    const pieces = passed.split(new RegExp(`(?<![\\w.])${from.replace(".", "\\.")}\\b`));
    if (pieces.length !== 2) throw unexpected(all);
    passed = pieces.join(to);
  }
  const places = names.filter((name) => /^(ptr|len)/.test(name)).map((name) => args.search(`\\b${name}\\b`));
  const inOrder = places.every((place, at) => at === 0 || place > places[at - 1]);
  if (!inOrder || names.some((name) => rest.search(`\\b${name}\\b`) >= 0)) throw unexpected(all);
  return call + passed;
}

function unexpected(piece) {
  return new Error(`wasm-bindgen's output has a text that www/glue.mjs doesn't expect: ${piece}`);
}
