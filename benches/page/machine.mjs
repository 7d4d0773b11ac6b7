/** What a page can learn about the machine that it runs on. */

export async function machine() {
  return {
    browser: browserName(),
    cores: navigator.hardwareConcurrency,
    webgl: webglName(),
    webgpu: await webgpuName(),
  };
}

function browserName() {
  const brands = navigator.userAgentData?.brands.filter(({ brand }) => !/not/i.test(brand)) ?? [];
  const { brand, version } = brands.at(-1) ?? {};
  return brand ? `${brand} ${version} on ${navigator.userAgentData.platform}` : navigator.userAgent;
}

function webglName() {
  const gl = new OffscreenCanvas(1, 1).getContext("webgl2");
  if (!gl) return undefined;
  const name = gl.getExtension("WEBGL_debug_renderer_info")?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER;
  return gl.getParameter(name);
}

async function webgpuName() {
  const adapter = await navigator.gpu?.requestAdapter().catch(() => null);
  if (!adapter) return undefined;
  const { vendor, architecture, device, description } = adapter.info;
  return [vendor, architecture, device, description].filter(Boolean).join(" ") || "an adapter without a name";
}
