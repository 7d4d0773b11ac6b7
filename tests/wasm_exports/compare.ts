/**
 * Compares the hand-written declarations of wasm exports with those that wasm-bindgen generates. The build compiles
 * this.
 */
import type * as webgpu from "../../target/xtask/webgpu/gambol";
import type * as webgl from "../../target/xtask/webgl/gambol";
import type * as formats from "../../target/xtask/formats/gambol";
import type { FileHandle, FormatsModule, GlbHandle, PictureHandle } from "../../www/element/engine/formats_wasm";
import type { GpuHandle, ModelHandle, PlayerHandle, PlayRecord, WasmModule } from "../../www/element/engine/wasm";

/** Each export must be usable as the package declares it. */
type Usable<Generated extends Declared, Declared> = Generated;
export type Modules = [
  Usable<typeof webgpu, WasmModule>,
  Usable<typeof webgl, WasmModule>,
  Usable<typeof formats, FormatsModule>,
  Usable<webgpu.PlayRecord, PlayRecord>,
];

/** An export must be declared. */
type Undeclared<Generated, Declared> = Exclude<keyof Generated, keyof Declared>;
type None<Names extends never> = Names;
export type Members = [
  None<Undeclared<webgpu.PlayerHandle, PlayerHandle>>,
  None<Undeclared<webgpu.GpuHandle, GpuHandle>>,
  None<Undeclared<webgpu.ModelHandle, ModelHandle>>,
  None<Undeclared<formats.FileHandle, FileHandle>>,
  None<Undeclared<formats.GlbHandle, GlbHandle>>,
  None<Undeclared<formats.PictureHandle, PictureHandle>>,
  None<Undeclared<webgpu.PlayRecord, PlayRecord>>,
  None<Undeclared<typeof webgpu, WasmModule & { GpuHandle: unknown; ModelHandle: unknown }>>,
  None<Undeclared<typeof formats, FormatsModule & { FileHandle: unknown; GlbHandle: unknown; PictureHandle: unknown }>>,
];

/** Returns the methods that refuse an argument that the package passes. TypeScript itself is lenient about methods. */
type Refusing<Generated, Declared> = {
  [Name in keyof Declared & keyof Generated]: [Declared[Name], Generated[Name]] extends [
    (...args: infer Passed) => unknown,
    (...args: infer Accepted) => unknown,
  ]
    ? Passed extends Accepted
      ? never
      : Name
    : never;
}[keyof Declared & keyof Generated];
export type Calls = [
  None<Refusing<webgpu.PlayerHandle, PlayerHandle>>,
  None<Refusing<webgpu.GpuHandle, GpuHandle>>,
  None<Refusing<webgpu.ModelHandle, ModelHandle>>,
  None<Refusing<typeof webgpu, WasmModule>>,
  None<Refusing<formats.FileHandle, FileHandle>>,
  None<Refusing<formats.GlbHandle, GlbHandle>>,
  None<Refusing<formats.PictureHandle, PictureHandle>>,
  None<Refusing<typeof formats, FormatsModule>>,
];
