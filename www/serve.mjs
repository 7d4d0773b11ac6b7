/**
 * A small static server for development and tests. Sets MIME types, makes browsers revalidate, and serves nothing
 * outside its folders.
 *
 *     node www/serve.mjs [folder] [--port 8080]
 */

import { createReadStream } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

const MIME_TYPES = {
  ".bin": "application/octet-stream",
  ".css": "text/css; charset=utf-8",
  ".glb": "model/gltf-binary",
  ".gltf": "model/gltf+json",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".jpeg": "image/jpeg",
  ".jpg": "image/jpeg",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".ts": "text/plain; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  // `WebAssembly.instantiateStreaming` requires this type.
  ".wasm": "application/wasm",
  ".wav": "audio/wav",
  ".webp": "image/webp",
};

/**
 * Serves each folder of `mounts` (`{ "/": folder, "/models/": other }`) and resolves once the server listens. If the
 * port is in use, tries the next 20; port 0 selects any free port.
 */
export async function serve({ mounts, port = 0, host = "127.0.0.1", headers = {} }) {
  const folders = await Promise.all(
    Object.entries(mounts).map(async ([prefix, folder]) => ({ prefix, folder: await realpath(folder) })),
  );
  // The longest prefix wins.
  folders.sort((a, b) => b.prefix.length - a.prefix.length);
  const server = createServer((request, response) => {
    answer(folders, headers, request, response).catch((error) => {
      console.error(`serve: ${request.url}: ${error.message}`);
      response.destroy();
    });
  });
  await listen(server, port, host);
  return {
    url: `http://${host === "127.0.0.1" ? "localhost" : host}:${server.address().port}/`,
    close: () =>
      new Promise((done) => {
        server.close(done);
        server.closeAllConnections();
      }),
  };
}

async function listen(server, port, host) {
  for (let candidate = port; ; candidate++) {
    const error = await new Promise((done) => {
      server.once("error", done);
      server.listen(candidate, host, () => {
        server.off("error", done);
        done(undefined);
      });
    });
    if (!error) return;
    if (error.code !== "EADDRINUSE" || port === 0 || candidate >= port + 20) throw error;
  }
}

async function answer(folders, headers, request, response) {
  const refuse = (status, text, more = {}) => {
    response.writeHead(status, { ...headers, "Content-Type": "text/plain; charset=utf-8", ...more });
    response.end(request.method === "HEAD" ? undefined : `${text}\n`);
  };
  if (request.method !== "GET" && request.method !== "HEAD")
    return refuse(405, "GET or HEAD only", { Allow: "GET, HEAD" });

  const path = decodedPath(request.url);
  if (path === undefined) return refuse(400, "Not a path");
  const found = await find(folders, path);
  if (!found) return refuse(404, "Not found");
  if (found.isFolder) {
    const query = request.url.includes("?") ? request.url.slice(request.url.indexOf("?")) : "";
    return refuse(308, "It's a folder", { Location: `${encodeURI(path)}/${query}` });
  }

  const tag = `"${found.size.toString(36)}-${Math.round(found.mtimeMs).toString(36)}"`;
  const always = {
    ETag: tag,
    // Browsers revalidate each time, with a 304 for unchanged files, so that a rebuild shows at once.
    "Cache-Control": "no-cache",
    "X-Content-Type-Options": "nosniff",
    ...headers,
  };
  if (request.headers["if-none-match"] === tag) {
    response.writeHead(304, always);
    return response.end();
  }
  const [start, end] = rangeOf(request.headers.range, found.size) ?? [0, found.size - 1];
  const whole = end - start + 1 === found.size;
  response.writeHead(whole ? 200 : 206, {
    ...always,
    "Content-Type": MIME_TYPES[extname(found.path).toLowerCase()] ?? "application/octet-stream",
    "Content-Length": end - start + 1,
    // Browsers can seek in media only if the server accepts ranges.
    "Accept-Ranges": "bytes",
    ...(!whole && { "Content-Range": `bytes ${start}-${end}/${found.size}` }),
  });
  if (request.method === "HEAD" || found.size === 0) return response.end();
  createReadStream(found.path, { start, end })
    .on("error", () => response.destroy())
    .pipe(response);
}

/** Returns the first and last byte of a range; undefined without one, or if it is unsupported or unsatisfiable. */
function rangeOf(header, size) {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? [];
  if (!from) return undefined;
  const start = Number(from);
  const end = to ? Math.min(Number(to), size - 1) : size - 1;
  return start <= end ? [start, end] : undefined;
}

/** Returns the decoded path, or undefined if malformed. `new URL` isn't used, since it resolves `..` unseen. */
function decodedPath(url) {
  try {
    const path = decodeURIComponent(url.split(/[?#]/, 1)[0]);
    return path.startsWith("/") && !path.includes("\0") ? path : undefined;
  } catch {
    return undefined;
  }
}

async function find(folders, path) {
  const mount = folders.find(({ prefix }) => path.startsWith(prefix));
  if (!mount) return undefined;
  const wanted = resolve(mount.folder, `.${sep}${path.slice(mount.prefix.length)}`);
  // Checked twice: first for `..` in the path, then for symbolic links.
  if (!isInside(mount.folder, wanted)) return undefined;
  try {
    const real = await realpath(wanted);
    if (!isInside(mount.folder, real)) return undefined;
    const info = await stat(real);
    if (!info.isDirectory()) return { path: real, size: info.size, mtimeMs: info.mtimeMs };
    if (!path.endsWith("/")) return { isFolder: true };
    const index = join(real, "index.html");
    const indexInfo = await stat(index);
    return { path: index, size: indexInfo.size, mtimeMs: indexInfo.mtimeMs };
  } catch {
    return undefined;
  }
}

function isInside(folder, path) {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const args = process.argv.slice(2);
  const portAt = args.indexOf("--port");
  const port = portAt >= 0 ? Number(args.splice(portAt, 2)[1]) : 8080;
  const { url } = await serve({ mounts: { "/": args[0] ?? "dist" }, port });
  console.log(`Serving ${args[0] ?? "dist"} at ${url}`);
}
