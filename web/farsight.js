// The page around the module: loading, address, downloads, files. The other sides are app/src/host/page.rs and app/src/window/web.rs.
"use strict";

(function () {
  const at = (id) => document.getElementById(id);
  const here = document.currentScript;
  const PANEL = 48, X = 88, A = 65, ENTER = 257, BACKSPACE = 259, F5 = 294; // key codes of miniquad
  const CTRL = 2; // and its flag for that modifier

  const NO_LINK = "A link cannot contain an opened map or heightmap";
  const LONGEST_LINK = 8192; // programs and servers cut longer ones off
  const LONG_LINK = "This scene is too long for a link: it is downloaded as a walk, which \"open…\" shows again";

  // The browser can refuse storage.
  const KEPT = "farsight:" + window.location.pathname.replace(/[^/]*$/, "") + ":"; // of this folder: a host may have two pages
  function kept(use, refused) {
    try {
      return use(window.localStorage);
    } catch {
      return refused;
    }
  }

  // Messages to the visitor.
  let hideTimer;
  function say(words, isGood) {
    const notice = at("notice");
    notice.textContent = words;
    notice.className = isGood ? "good" : "";
    notice.hidden = false;
    clearTimeout(hideTimer);
    hideTimer = setTimeout(() => { notice.hidden = true; }, isGood ? 3000 : 12000);
  }
  function cover(words) {
    at("words").textContent = words;
    at("loading").hidden = true;
    at("cover").hidden = false;
    delete document.body.dataset.ready;
  }

  // The address follows the scene, but not on every frame, since browsers limit that.
  let query = window.location.search.slice(1);
  let isTooLong = false;
  let pending;
  function updateAddress() {
    clearTimeout(pending);
    pending = undefined;
    history.replaceState(null, "", window.location.pathname + (query && !isTooLong ? "?" + query : ""));
  }
  async function copy(words, what) {
    try {
      await navigator.clipboard.writeText(words);
    } catch (refused) {
      clipboard = words; // gl.js copies this
      if (!document.execCommand("copy")) {
        say("The browser does not allow this page to copy. Copy this: " + words);
        return;
      }
    }
    say("Copied the " + what, true);
  }

  // Workers run tasks that take longer than a frame, so that the page keeps drawing. A worker with cancelled work is terminated and
  // replaced by one of the reserve.
  const RESERVE = 2;
  const hasWorkers = typeof Worker === "function";
  let module; // once it is compiled
  const reserve = [];
  const works = new Map();
  let lastWork = 0;
  function newWorker() {
    const worker = new Worker("worker.js");
    if (module) worker.postMessage({ module });
    return worker;
  }
  function untilStarted(worker) {
    return new Promise((resolve) => { worker.onmessage = worker.onerror = resolve; });
  }
  function keepReserve(worker) {
    if (reserve.length < RESERVE) reserve.push(worker); else worker.terminate();
  }
  function startWork(task) {
    if (!hasWorkers) return 0;
    const work = { progress: 0, answers: [], worker: reserve.pop() ?? newWorker() };
    work.worker.onmessage = ({ data }) => {
      if (data.answer) {
        work.answers.push(data.answer);
      } else if (data.hasEnded) {
        keepReserve(work.worker);
        work.worker = undefined;
      } else {
        work.progress = data.progress;
      }
    };
    work.worker.onerror = (event) => {
      event.preventDefault();
      work.progress = -1;
    };
    work.worker.postMessage({ task }, [task.buffer]);
    works.set(++lastWork, work);
    return lastWork;
  }
  function endWork(number) {
    const { worker } = works.get(number);
    works.delete(number);
    if (worker) {
      worker.terminate();
      if (reserve.length === 0) reserve.push(newWorker());
    }
  }

  miniquad_add_plugin({
    name: "farsight",
    version: 1,
    register_plugin: function (imports) {
      imports.env.farsight_query = () => js_object(window.location.search.slice(1) || here.dataset.start);
      imports.env.farsight_show = (newQuery, command) => {
        query = consume_js_object(newQuery);
        isTooLong = query.length > LONGEST_LINK;
        at("command").textContent = consume_js_object(command);
        at("link").title = isTooLong ? LONG_LINK : query ? "Copy a link that shows this view" : NO_LINK;
        pending ??= setTimeout(updateAddress, 400);
      };
      imports.env.farsight_download = (name, bytes) => {
        const url = URL.createObjectURL(new Blob([consume_js_object(bytes)]));
        const link = document.createElement("a");
        link.href = url;
        link.download = consume_js_object(name);
        link.click();
        setTimeout(() => URL.revokeObjectURL(url), 60000);
      };
      imports.env.farsight_is_windows = () => Number(/Win/.test(navigator.platform));
      imports.env.farsight_is_touch = () => Number(matchMedia("(pointer: coarse)").matches);
      imports.env.farsight_kept_names = () => js_object(kept((texts) =>
        Object.keys(texts).filter((key) => key.startsWith(KEPT)).map((key) => key.slice(KEPT.length)).join("\n"), ""));
      imports.env.farsight_kept = (name) => {
        const key = KEPT + consume_js_object(name);
        return js_object(kept((texts) => texts.getItem(key), "") ?? "");
      };
      imports.env.farsight_keep = (name, text) => {
        const [key, words] = [KEPT + consume_js_object(name), consume_js_object(text)];
        return kept((texts) => { texts.setItem(key, words); return 1; }, 0);
      };
      imports.env.farsight_drop_kept = (name) => {
        const key = KEPT + consume_js_object(name);
        kept((texts) => texts.removeItem(key));
      };
      imports.env.farsight_type = (text) => showTyping(consume_js_object(text));
      imports.env.farsight_end_typing = endTyping;
      imports.env.farsight_copy_link = () => at("link").click();
      imports.env.farsight_say = (words) => say(consume_js_object(words));
      imports.env.farsight_fail = (words) => cover("farsight has stopped: " + consume_js_object(words));
      imports.env.farsight_start_work = (task) => startWork(consume_js_object(task));
      imports.env.farsight_work_progress = (number) => works.get(number).progress;
      imports.env.farsight_take_work = (number) => {
        const answer = works.get(number).answers.shift();
        if (answer) document.body.dataset.worlds = Number(document.body.dataset.worlds ?? 0) + 1;
        return js_object(answer);
      };
      imports.env.farsight_end_work = endWork;
      // The functions of a worker.
      imports.env.farsight_task = imports.env.farsight_report = imports.env.farsight_answer = () => 0;
      // The version of sapp_jsutils copies byte by byte.
      imports.env.js_unwrap_to_buf = (id, pointer, length) => {
        new Uint8Array(wasm_memory.buffer, pointer, length).set(get_js_object(id));
      };
      imports.env.farsight_ready = () => {
        at("cover").hidden = true;
        document.body.dataset.ready = Math.round(performance.now());
      };
    },
  });

  // Passes a chosen file to the module as a dropped one.
  function drop(name, bytes) {
    const put = (array) => {
      const pointer = wasm_exports.allocate_vec_u8(array.length);
      new Uint8Array(wasm_memory.buffer, pointer, array.length).set(array);
      return [pointer, array.length];
    };
    wasm_exports.on_files_dropped_start();
    const file = put(bytes);
    wasm_exports.on_file_dropped(...put(new TextEncoder().encode(name)), ...file);
    wasm_exports.on_files_dropped_finish();
    requestAnimationFrame(animation); // of gl.js: a drop alone draws no frame
  }
  async function opened(files) {
    for (const file of files) {
      if (file.size === 0 || file.size > 256 << 20) {
        say(file.name + ": " + (file.size ? "too large for a page: expected at most 256 MB" : "the file is empty"));
      } else {
        drop(file.name, new Uint8Array(await file.arrayBuffer()));
      }
    }
    at("glcanvas").focus();
  }
  function key(code, modifiers = 0) {
    wasm_exports.key_down(code, modifiers, false);
    wasm_exports.key_up(code, 0);
  }
  function press(code) {
    key(code);
    at("glcanvas").focus();
  }

  // A phone shows its keyboard only for a field of the page. Its text replaces that of the field on the canvas.
  function showTyping(text) {
    at("typed").value = text;
    at("typing").hidden = false;
    at("typed").focus();
    at("typed").select();
  }
  function endTyping() {
    if (!at("typing").hidden) {
      at("typing").hidden = true;
      at("glcanvas").focus();
    }
  }
  function passTyped() {
    key(A, CTRL);
    key(BACKSPACE);
    for (const letter of at("typed").value) wasm_exports.key_press(letter.codePointAt(0));
  }
  function wire() {
    at("panel").onclick = () => press(PANEL);
    at("typed").oninput = passTyped;
    at("typing").onsubmit = (event) => { event.preventDefault(); key(ENTER); endTyping(); };
    at("export").onclick = () => press(X);
    at("open").onclick = () => at("file").click();
    at("file").onchange = () => { opened([...at("file").files]).then(() => { at("file").value = ""; }); };
    at("link").onclick = () => {
      if (!query) return say(NO_LINK);
      if (isTooLong) {
        say(LONG_LINK, true);
        return press(F5);
      }
      updateAddress();
      copy(window.location.href, "link");
    };
    at("copy").onclick = () => copy(at("command").textContent, "command");
    window.addEventListener("drop", (event) => {
      event.preventDefault();
      event.stopImmediatePropagation(); // gl.js would pass the file again, and truncate names that are not ASCII
      opened([...event.dataTransfer.files]);
    }, true);
    // A link opened in this tab shows another scene.
    window.addEventListener("popstate", () => window.location.reload());
  }

  // Prepares the canvas as gl.js will, which is slow and does not need the module. Returns the name of a WebGL feature that gl.js
  // needs and the browser lacks.
  function prepareCanvas() {
    const canvas = at("glcanvas");
    canvas.width = canvas.clientWidth * window.devicePixelRatio;
    canvas.height = canvas.clientHeight * window.devicePixelRatio;
    const gl = canvas.getContext("webgl");
    if (!gl) return "WebGL";
    // The driver starts at the first request for a shader.
    const shader = gl.createShader(gl.VERTEX_SHADER);
    gl.shaderSource(shader, "void main() { gl_Position = vec4(0.0); }");
    gl.compileShader(shader);
    gl.getShaderParameter(shader, gl.COMPILE_STATUS);
    gl.deleteShader(shader);
    return ["OES_vertex_array_object", "WEBGL_depth_texture"].find((name) => !gl.getExtension(name));
  }

  async function start() {
    if (typeof WebAssembly !== "object") {
      return cover("farsight needs WebAssembly, which this browser does not have. Use a current browser.");
    }
    // The smallest module with a vector.
    const moduleWithVector = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15,
      253, 98, 11];
    if (!WebAssembly.validate(new Uint8Array(moduleWithVector))) {
      return cover("farsight needs WebAssembly with vectors, which this browser does not have. Use a current browser.");
    }
    if (hasWorkers) reserve.push(newWorker()); // it starts while the module is loaded
    const started = reserve.map(untilStarted);
    const compiling = compiledModule();
    compiling.catch(() => {}); // until it is awaited
    const missing = prepareCanvas();
    if (missing) {
      return cover("farsight needs WebGL, and this browser does not have " + missing + ". " +
        "Turn on hardware acceleration in its settings, or use another browser or the command line.");
    }
    try {
      module = await compiling;
    } catch (error) {
      return cover("The module cannot be loaded: " + error.message);
    }
    at("words").textContent = "starting";
    await Promise.all(started); // a worker that starts later would wait until the first frame is drawn
    for (const worker of reserve) worker.postMessage({ module });
    wire();
    WebAssembly.compileStreaming = async () => module;
    load("data:,"); // gl.js would load and compile the module
  }

  // Compiles the module while it is loaded.
  async function compiledModule() {
    const answer = await fetch(here.dataset.module);
    if (!answer.ok) throw new Error(answer.status + " " + answer.statusText);
    const total = Number(here.dataset.bytes);
    let loaded = 0;
    const counter = new TransformStream({
      transform(part, onward) {
        loaded += part.length;
        at("loading").value = Math.min(loaded / total, 1);
        onward.enqueue(part);
      },
    });
    const headers = { "content-type": "application/wasm" }; // some servers send none
    return WebAssembly.compileStreaming(new Response(answer.body.pipeThrough(counter), { headers }));
  }

  // The driver can lose the graphics context, for instance when the computer sleeps, and with it textures and shaders.
  at("glcanvas").addEventListener("webglcontextlost", (event) => {
    event.preventDefault(); // else they do not come back
    updateAddress();
    cover("The browser has taken the graphics of this page away. They come back with the view in the address.");
  });
  at("glcanvas").addEventListener("webglcontextrestored", () => window.location.reload());

  // The module does not continue after a fault.
  window.addEventListener("error", (event) => {
    if (event.error instanceof WebAssembly.RuntimeError) {
      cover("farsight has stopped because of a fault. Reload the page to continue from the view in its address.");
    }
  });
  start();
})();
