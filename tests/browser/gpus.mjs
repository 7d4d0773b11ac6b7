/**
 * Opens a page that records every GPU device and WebGL2 context that it requests in `window.gpus`, so that a
 * scenario can count them and simulate their loss.
 */
export async function watchGpus(page, url) {
  await page.evaluateOnNewDocument(() => {
    const devices = [];
    const contexts = [];
    if (globalThis.GPUAdapter) {
      const { requestDevice } = GPUAdapter.prototype;
      GPUAdapter.prototype.requestDevice = async function (...options) {
        const device = await requestDevice.apply(this, options);
        devices.push(device);
        return device;
      };
    }
    for (const { prototype } of [HTMLCanvasElement, OffscreenCanvas]) {
      const { getContext } = prototype;
      prototype.getContext = function (kind, ...options) {
        const context = getContext.call(this, kind, ...options);
        const known = contexts.some((held) => held.context === context);
        if (kind === "webgl2" && context && !known) {
          contexts.push({ context, canvas: this, loss: context.getExtension("WEBGL_lose_context") });
        }
        return context;
      };
    }
    let taken = [];
    window.gpus = {
      devices,
      contexts,
      /** Destroys all devices and loses all contexts, synchronously. */
      lose() {
        for (const device of devices) device.destroy();
        taken = contexts.filter(({ context }) => !context.isContextLost());
        for (const { loss } of taken) loss.loseContext();
      },
      /** Resolves when the loss of all devices has been reported, which happens in a later task. */
      async gone() {
        await Promise.all(devices.map((device) => device.lost));
        await new Promise((resolve) => setTimeout(resolve));
      },
      /** Restores lost contexts. Devices can be requested again without it. */
      restore() {
        for (const { loss } of taken.splice(0)) loss.restoreContext();
      },
    };
  });
  await page.goto(url);
  await page.waitForFunction(() => window.stage);
}
