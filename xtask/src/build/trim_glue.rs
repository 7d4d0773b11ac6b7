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
