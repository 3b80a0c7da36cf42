// Runs tasks for the page, with a separate module. The page sends the module first, then tasks.
"use strict";

const plugins = [];
self.miniquad_add_plugin = (plugin) => plugins.push(plugin);
importScripts("sapp_jsutils.js");

const MS_BETWEEN_REPORTS = 15;
let task;
let lastReport = 0;

// Of the functions of the page, a worker needs only those that pass bytes.
function importsOf(module) {
  const imports = { env: {} };
  plugins.forEach((plugin) => plugin.register_plugin(imports));
  imports.env.js_unwrap_to_buf = (id, pointer, length) => {
    new Uint8Array(self.wasm_memory.buffer, pointer, length).set(get_js_object(id));
  };
  imports.env.farsight_task = () => js_object(task);
  imports.env.farsight_report = (thousandths) => {
    const now = performance.now();
    if (now >= lastReport + MS_BETWEEN_REPORTS) {
      lastReport = now;
      postMessage({ progress: thousandths });
    }
  };
  imports.env.farsight_answer = (answer) => {
    const bytes = consume_js_object(answer);
    postMessage({ answer: bytes }, [bytes.buffer]);
  };
  for (const { module: space, name } of WebAssembly.Module.imports(module)) {
    imports[space] ??= {};
    imports[space][name] ??= () => 0;
  }
  return imports;
}

onmessage = ({ data }) => {
  if (data.module) {
    const instance = new WebAssembly.Instance(data.module, importsOf(data.module));
    self.wasm_memory = instance.exports.memory;
    self.wasm_exports = instance.exports;
  } else {
    task = data.task;
    self.wasm_exports.farsight_work();
    postMessage({ hasEnded: true });
  }
};

// The page hears that this worker is there. It would keep a message back that it sent while this script runs.
setTimeout(() => postMessage({ progress: 0 }));
