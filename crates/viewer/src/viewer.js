"use strict";
// Plays the runs of this page: one canvas, a viewport a run, one camera and one clock for all of them.
(() => {
    // Key colours of viridis, which the colour-blind read as a scale too, from nothing to the largest.
    const SCALE = [[0.267, 0.005, 0.329], [0.230, 0.322, 0.546], [0.128, 0.567, 0.551], [0.369, 0.789, 0.383], [0.993, 0.906, 0.144]];
    const NARROW = 700; // px: runs stand one above the other
    const FIELD = Math.tan(Math.PI / 9); // of half the field of view, 40 degrees
    const element = (id) => document.getElementById(id);
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;

    const bytes = (text) => {
        const binary = atob(text), out = new Uint8Array(binary.length);
        for (let k = 0; k < out.length; k++) out[k] = binary.charCodeAt(k);
        return out.buffer;
    };

    const unpack = ({ name, times, low, unit, positions, stretch, top, largest, triangles, edges, solids, poses, view, end, clock }) => ({
        name, times, low, unit, top, largest, view, end, clock: clock || { unit: "s", pace: 1 },
        positions: new Uint16Array(bytes(positions)),
        stretch: new Uint8Array(bytes(stretch)),
        triangles: new Uint32Array(bytes(triangles)),
        edges: new Uint32Array(bytes(edges)),
        poses: new Float32Array(bytes(poses || "")),
        solids: solids.map(({ vertices, triangles, shapes }) => ({
            vertices: new Float32Array(bytes(vertices)), triangles: new Uint32Array(bytes(triangles)),
            shapes: new Float32Array(bytes(shapes || "")),
        })),
    });

    const VERTEX = `#version 300 es
        in vec3 position; in vec3 normal; in float amount;
        uniform mat4 camera; uniform mat4 pose; uniform float nearer;
        out vec3 across; out float share;
        void main() {
            across = mat3(pose) * normal; share = amount;
            gl_Position = camera * pose * vec4(position, 1.0);
            gl_Position.z -= nearer * gl_Position.w;
        }`;
    const FRAGMENT = `#version 300 es
        precision highp float;
        in vec3 across; in float share;
        uniform vec3 front; uniform vec3 back; uniform vec3 light; uniform float shaded; uniform float scaled; uniform vec3 scale[5];
        out vec4 color;
        vec3 entry(float x) {
            float at = clamp(x, 0.0, 1.0) * 4.0;
            vec3 found = mix(scale[0], scale[1], clamp(at, 0.0, 1.0));
            for (int k = 1; k < 4; k++) found = mix(found, scale[k + 1], clamp(at - float(k), 0.0, 1.0));
            return found;
        }
        void main() {
            vec3 n = normalize(across);
            if (!gl_FrontFacing) n = -n;
            vec3 own = gl_FrontFacing ? front : back;
            own = mix(own, entry(share), scaled);
            float lit = mix(1.0, 0.42 + 0.5 * max(dot(n, light), 0.0) + 0.12 * max(n.z, 0.0), shaded);
            color = vec4(own * lit, 1.0);
        }`;

    const program = (gl) => {
        const program = gl.createProgram();
        for (const [kind, source] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
            const shader = gl.createShader(kind);
            gl.shaderSource(shader, source);
            gl.compileShader(shader);
            gl.attachShader(program, shader);
        }
        ["position", "normal", "amount"].forEach((name, k) => gl.bindAttribLocation(program, k, name));
        gl.linkProgram(program);
        if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
        gl.useProgram(program);
        const at = {};
        for (const name of ["camera", "pose", "nearer", "front", "back", "light", "shaded", "scaled", "scale"]) {
            at[name] = gl.getUniformLocation(program, name);
        }
        gl.uniform3fv(at.scale, SCALE.flat());
        return at;
    };

    // Vertex normals: sums of the triangles' own, by their areas.
    const addNormals = (x, triangles, n) => {
        n.fill(0);
        for (let k = 0; k < triangles.length; k += 3) {
            const a = 3 * triangles[k], b = 3 * triangles[k + 1], c = 3 * triangles[k + 2];
            const ux = x[b] - x[a], uy = x[b + 1] - x[a + 1], uz = x[b + 2] - x[a + 2];
            const vx = x[c] - x[a], vy = x[c + 1] - x[a + 1], vz = x[c + 2] - x[a + 2];
            const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
            n[a] += nx; n[a + 1] += ny; n[a + 2] += nz;
            n[b] += nx; n[b + 1] += ny; n[b + 2] += nz;
            n[c] += nx; n[c + 1] += ny; n[c + 2] += nz;
        }
    };

    // A body of triangles with flat shading.
    const flat = ({ vertices, triangles }) => {
        const x = new Float32Array(3 * triangles.length), all = new Uint32Array(triangles.length).map((_, k) => k);
        triangles.forEach((vertex, k) => x.set(vertices.subarray(3 * vertex, 3 * vertex + 3), 3 * k));
        const n = new Float32Array(x.length);
        addNormals(x, all, n);
        return { x, n };
    };

    const buffer = (gl, target, data, use) => {
        const made = gl.createBuffer();
        gl.bindBuffer(target, made);
        gl.bufferData(target, data, use);
        return made;
    };

    // What the graphics card holds of a run.
    const load = (gl, run) => {
        const count = run.positions.length / Math.max(run.times.length, 1);
        run.x = new Float32Array(count);
        run.n = new Float32Array(count);
        run.s = new Float32Array(count / 3);
        run.buffers = [run.x, run.n, run.s].map((data) => buffer(gl, gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW));
        run.faces = buffer(gl, gl.ELEMENT_ARRAY_BUFFER, run.triangles, gl.STATIC_DRAW);
        run.lines = buffer(gl, gl.ELEMENT_ARRAY_BUFFER, run.edges, gl.STATIC_DRAW);
        run.bodies = run.solids.map(flat).map(({ x, n }, body) => ({
            count: x.length / 3,
            buffers: [x, n, new Float32Array(x.length / 3)].map((data) =>
                buffer(gl, gl.ARRAY_BUFFER, data, run.solids[body].shapes.length > 0 ? gl.DYNAMIC_DRAW : gl.STATIC_DRAW)),
        }));
    };

    // A body that changes its shape as it is between two frames.
    const reshape = (gl, { before, after, share }, { vertices, triangles, shapes }, { buffers }) => {
        if (shapes.length === 0) return;
        const from = before * vertices.length, to = after * vertices.length;
        const now = vertices.map((_, k) => shapes[from + k] + share * (shapes[to + k] - shapes[from + k]));
        const { x, n } = flat({ vertices: now, triangles });
        [x, n].forEach((data, k) => {
            gl.bindBuffer(gl.ARRAY_BUFFER, buffers[k]);
            gl.bufferSubData(gl.ARRAY_BUFFER, 0, data);
        });
    };

    // The state of a run at a time, between two of its frames.
    const show = (gl, run, time) => {
        const { times, positions, stretch, low, unit, x, n, s } = run;
        let after = times.findIndex((of) => of >= time);
        if (after < 0) after = times.length - 1;
        const before = Math.max(after - 1, 0);
        const width = times[after] - times[before];
        const share = width > 0 ? Math.min(Math.max((time - times[before]) / width, 0), 1) : 1;
        run.moment = { before, after, share };
        run.solids.forEach((solid, body) => reshape(gl, run.moment, solid, run.bodies[body]));
        const from = before * x.length, to = after * x.length;
        for (let axis = 0; axis < 3; axis++) {
            for (let k = axis; k < x.length; k += 3) {
                const a = positions[from + k];
                x[k] = low[axis] + unit * (a + share * (positions[to + k] - a));
            }
        }
        for (let k = 0; k < s.length; k++) {
            const a = stretch[from / 3 + k], b = stretch[to / 3 + k];
            s[k] = run.scaled * (a + share * (b - a)) / 255;
        }
        run.now = run.largest[before] + share * (run.largest[after] - run.largest[before]);
        addNormals(x, run.triangles, n);
        [x, n, s].forEach((data, k) => {
            gl.bindBuffer(gl.ARRAY_BUFFER, run.buffers[k]);
            gl.bufferSubData(gl.ARRAY_BUFFER, 0, data);
        });
    };

    // Where a body of a run is now: the columns of a turn and a way, between two frames.
    const STILL = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    const pose = ({ poses, solids, moment: { before, after, share } }, body) => {
        if (poses.length === 0) return STILL;
        const at = (frame, k) => poses[12 * (frame * solids.length + body) + k];
        return STILL.map((still, k) => {
            const [column, row] = [k >> 2, k % 4];
            return row < 3 ? at(before, 3 * column + row) + share * (at(after, 3 * column + row) - at(before, 3 * column + row)) : still;
        });
    };

    const bind = (gl, buffers) => buffers.forEach((made, k) => {
        gl.bindBuffer(gl.ARRAY_BUFFER, made);
        gl.enableVertexAttribArray(k);
        gl.vertexAttribPointer(k, k < 2 ? 3 : 1, gl.FLOAT, false, 0, 0);
    });

    const percent = (share) => `${Number((100 * share).toPrecision(3))} %`;
    const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

    // The axes of the camera: to the right, up, and towards the viewer.
    const axes = ({ azimuth, elevation }) => {
        const [a, e] = [azimuth, elevation].map((degrees) => degrees * Math.PI / 180);
        return {
            right: [-Math.sin(a), Math.cos(a), 0],
            up: [-Math.cos(a) * Math.sin(e), -Math.sin(a) * Math.sin(e), Math.cos(e)],
            towards: [Math.cos(a) * Math.cos(e), Math.sin(a) * Math.cos(e), Math.sin(e)],
        };
    };

    // Product of projection and view, by columns.
    const matrix = (camera, aspect) => {
        const { right, up, towards } = axes(camera);
        const { distance, target } = camera;
        const near = distance / 100, far = distance * 20;
        const [sx, sy] = aspect < 1 ? [1 / FIELD, aspect / FIELD] : [1 / (FIELD * aspect), 1 / FIELD];
        const rows = [
            [...right.map((q) => sx * q), -sx * dot(right, target)],
            [...up.map((q) => sy * q), -sy * dot(up, target)],
        ];
        const depth = [...towards.map((q) => -q), dot(towards, target) + distance]; // in front of the eye
        const [scale, shift] = [(far + near) / (far - near), -2 * far * near / (far - near)];
        rows.push(depth.map((q, k) => scale * q + (k === 3 ? shift : 0)), depth);
        return new Float32Array([0, 1, 2, 3].flatMap((k) => rows.map((row) => row[k])));
    };

    // The corners of the box that all frames of all runs lie in.
    const corners = (runs) => {
        const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
        for (const { positions, low: origin, unit } of runs) {
            for (let axis = 0; axis < 3; axis++) {
                for (let k = axis; k < positions.length; k += 3) {
                    const q = origin[axis] + unit * positions[k];
                    if (q < low[axis]) low[axis] = q;
                    if (q > high[axis]) high[axis] = q;
                }
            }
        }
        return [0, 1, 2, 3, 4, 5, 6, 7].map((k) => low.map((q, axis) => k >> axis & 1 ? high[axis] : q));
    };

    // A camera that looks at all corners from a side and fills a picture of this aspect with them.
    const fitted = (view, box, aspect) => {
        const { right, up, towards } = axes(view);
        const target = box[0].map((q, k) => 0.5 * (q + box[7][k]));
        const [x, y] = aspect < 1 ? [FIELD, FIELD / aspect] : [FIELD * aspect, FIELD];
        const needed = box.map((corner) => {
            const at = corner.map((q, k) => q - target[k]);
            return dot(towards, at) + Math.max(Math.abs(dot(right, at)) / x, Math.abs(dot(up, at)) / y);
        });
        return { ...view, target, distance: 1.06 * Math.max(...needed, 1e-9) };
    };

    const start = (runs) => {
        const canvas = document.createElement("canvas");
        const gl = canvas.getContext("webgl2", { antialias: true });
        if (!gl || runs.length === 0) return; // the sheet of pictures stays
        canvas.tabIndex = 0;
        canvas.setAttribute("aria-label", "moving picture of cloth; its pictures as text: positions.csv");
        canvas.setAttribute("role", "img");
        element("sheet").replaceWith(canvas);
        element("controls").hidden = false;
        const at = program(gl);
        gl.enable(gl.DEPTH_TEST);
        runs.forEach((run) => load(gl, run));
        const box = corners(runs);
        const radius = 0.5 * Math.hypot(...box[7].map((q, k) => q - box[0][k])) || 1;
        const last = Math.max(...runs.map((run) => run.times[run.times.length - 1]));
        const top = Math.max(...runs.map((run) => run.top), 1e-9); // one scale for all runs
        runs.forEach((run) => { run.scaled = run.top / top; });
        const state = { time: 0, playing: !still && last > 0, stretch: false, wire: runs.every((run) => run.triangles.length === 0), solids: true, dirty: true };
        const { unit, pace } = runs[0].clock;

        const labels = runs.map((run) => {
            const label = document.createElement("div");
            label.className = "label";
            label.innerHTML = '<b></b><div class="legend" hidden><div class="scale"></div><div class="ends"><span>0</span><span></span></div><div class="now"></div></div>';
            label.querySelector("b").textContent = run.end ? `${run.name} (${run.end})` : run.name;
            label.querySelector(".scale").style.background =
                `linear-gradient(to right, ${SCALE.map((c) => `rgb(${c.map((q) => Math.round(255 * q))})`).join(", ")})`;
            label.querySelector(".ends").lastChild.textContent = `${percent(top)} and more`;
            element("stage").append(label);
            return label;
        });

        const cells = () => {
            const columns = canvas.clientWidth < NARROW ? 1 : Math.ceil(Math.sqrt(runs.length));
            const rows = Math.ceil(runs.length / columns);
            const [width, height] = [canvas.width / columns, canvas.height / rows];
            return runs.map((_, k) => [k % columns * width, Math.floor(k / columns) * height, width, height]);
        };

        const first = () => {
            const [[, , width, height]] = cells();
            return fitted(runs[0].view, box, width / height || 1);
        };
        const size = () => {
            const ratio = Math.min(devicePixelRatio || 1, 2);
            const [width, height] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
            if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
            return ratio;
        };
        size();
        let camera = first(), turned = false;

        const draw = () => {
            const ratio = size();
            const ground = getComputedStyle(document.body).backgroundColor.match(/[\d.]+/g).map(Number);
            gl.clearColor(ground[0] / 255, ground[1] / 255, ground[2] / 255, 1);
            gl.disable(gl.SCISSOR_TEST);
            gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
            gl.enable(gl.SCISSOR_TEST);
            const { right, up, towards } = axes(camera);
            const light = towards.map((q, k) => 0.75 * q + 0.45 * up[k] - 0.35 * right[k]);
            const length = Math.hypot(...light);
            gl.uniform3fv(at.light, light.map((q) => q / length));
            cells().forEach(([x, y, w, h], k) => {
                const run = runs[k];
                show(gl, run, state.time);
                gl.viewport(x, canvas.height - y - h, w, h);
                gl.scissor(x, canvas.height - y - h, w, h);
                gl.uniformMatrix4fv(at.camera, false, matrix(camera, w / h));
                Object.assign(labels[k].style, { left: `${x / ratio}px`, top: `${y / ratio}px` });
                labels[k].querySelector(".legend").hidden = !state.stretch;
                labels[k].querySelector(".now").textContent = `largest strain ${percent(run.now)} now`;
                const paint = (front, back, shaded, scaled, nearer) => {
                    gl.uniform3fv(at.front, front);
                    gl.uniform3fv(at.back, back);
                    gl.uniform1f(at.shaded, shaded);
                    gl.uniform1f(at.scaled, scaled);
                    gl.uniform1f(at.nearer, nearer);
                };
                if (state.solids) {
                    paint([0.62, 0.62, 0.62], [0.5, 0.5, 0.5], 1, 0, 0);
                    run.bodies.forEach(({ buffers, count }, body) => {
                        gl.uniformMatrix4fv(at.pose, false, pose(run, body));
                        bind(gl, buffers);
                        gl.drawArrays(gl.TRIANGLES, 0, count);
                    });
                }
                gl.uniformMatrix4fv(at.pose, false, STILL);
                bind(gl, run.buffers);
                paint([0.40, 0.66, 0.86], [0.93, 0.72, 0.38], 1, state.stretch ? 1 : 0, 0.0005);
                gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, run.faces);
                gl.drawElements(gl.TRIANGLES, run.triangles.length, gl.UNSIGNED_INT, 0);
                if (state.wire) {
                    paint([0.05, 0.15, 0.25], [0.05, 0.15, 0.25], 0, 0, 0.001);
                    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, run.lines);
                    gl.drawElements(gl.LINES, run.edges.length, gl.UNSIGNED_INT, 0);
                }
            });
            element("scrub").value = last > 0 ? state.time / last : 0;
            element("time").textContent = `${state.time.toFixed(unit === "s" ? last < 0.1 ? 4 : 2 : 0)} ${unit}`;
            element("play").textContent = state.playing ? "pause" : "play";
            for (const name of ["stretch", "wire", "solids"]) element(name).setAttribute("aria-pressed", state[name]);
            document.body.dataset.drawn = Number(document.body.dataset.drawn || 0) + 1;
        };

        let before = performance.now();
        const tick = (now) => {
            if (state.playing) {
                state.time += pace * (now - before) / 1000 * Number(element("speed").value);
                if (state.time > last) state.time = state.time < last + pace ? last : 0; // a second at the end, then again
                state.held = state.time === last ? (state.held || now) : 0;
                if (state.held && now - state.held > 1000) Object.assign(state, { time: 0, held: 0 });
                state.dirty = true;
            }
            before = now;
            if (state.dirty) draw();
            state.dirty = false;
            requestAnimationFrame(tick);
        };

        const change = (what) => { Object.assign(state, what); state.dirty = true; };
        const look = (what) => { Object.assign(camera, what); turned = state.dirty = true; };
        const turn = (a, e) => look({ azimuth: camera.azimuth + a, elevation: Math.min(Math.max(camera.elevation + e, -89), 89) });
        const zoom = (factor) => look({ distance: Math.min(Math.max(camera.distance * factor, radius / 50), radius * 50) });
        const move = (dx, dy) => {
            const { right, up } = axes(camera);
            const metres = 2 * FIELD * camera.distance / Math.min(canvas.clientWidth, canvas.clientHeight);
            look({ target: camera.target.map((q, k) => q - metres * (dx * right[k] - dy * up[k])) });
        };
        const jump = (by) => {
            const { times } = runs[0];
            const here = times.reduce((best, time, k) => Math.abs(time - state.time) < Math.abs(times[best] - state.time) ? k : best, 0);
            change({ playing: false, time: times[Math.min(Math.max(here + by, 0), times.length - 1)] });
        };
        const play = () => change({ playing: !state.playing, held: 0, time: !state.playing && state.time >= last ? 0 : state.time });
        const toggle = (name) => change({ [name]: !state[name] });
        const reset = () => { camera = first(); turned = false; state.dirty = true; };

        element("play").onclick = play;
        element("scrub").oninput = (event) => change({ playing: false, time: Number(event.target.value) * last });
        element("reset").onclick = reset;
        for (const name of ["stretch", "wire", "solids"]) element(name).onclick = () => toggle(name);
        const keys = {
            " ": play, ArrowLeft: () => jump(-1), ArrowRight: () => jump(1), Home: () => jump(-Infinity), End: () => jump(Infinity),
            "+": () => zoom(0.9), "=": () => zoom(0.9), "-": () => zoom(1.1), r: reset,
            s: () => toggle("stretch"), w: () => toggle("wire"), o: () => toggle("solids"),
        };
        const turns = { ArrowLeft: [-5, 0], ArrowRight: [5, 0], ArrowUp: [0, 5], ArrowDown: [0, -5] };
        addEventListener("keydown", (event) => {
            if (event.ctrlKey || event.metaKey || event.altKey || ["SELECT", "SUMMARY"].includes(event.target.tagName)) return;
            if (event.key === " " && event.target.tagName === "BUTTON") return;
            const act = event.shiftKey && turns[event.key] ? () => turn(...turns[event.key]) : keys[event.key];
            if (!act) return;
            event.preventDefault();
            act();
        });
        const pointers = new Map();
        canvas.onpointerdown = (event) => { canvas.setPointerCapture(event.pointerId); pointers.set(event.pointerId, event); };
        canvas.onpointerup = canvas.onpointercancel = (event) => pointers.delete(event.pointerId);
        canvas.onpointermove = (event) => {
            const old = pointers.get(event.pointerId);
            if (!old) return;
            const [dx, dy] = [event.clientX - old.clientX, event.clientY - old.clientY];
            if (pointers.size > 1) {
                const other = [...pointers.values()].find((pointer) => pointer.pointerId !== event.pointerId);
                const apart = (pointer) => Math.hypot(pointer.clientX - other.clientX, pointer.clientY - other.clientY);
                zoom(apart(old) / Math.max(apart(event), 1));
                move(dx / 2, dy / 2);
            } else if (event.shiftKey || event.buttons > 1) move(dx, dy);
            else turn(-0.4 * dx, 0.4 * dy);
            pointers.set(event.pointerId, event);
        };
        canvas.oncontextmenu = (event) => event.preventDefault();
        canvas.addEventListener("wheel", (event) => { event.preventDefault(); zoom(Math.exp(0.001 * event.deltaY)); }, { passive: false });
        new ResizeObserver(() => { // what nobody has turned yet fills a picture of any shape
            size();
            if (!turned) camera = first();
            state.dirty = true;
        }).observe(canvas);
        matchMedia("(prefers-color-scheme: dark)").onchange = () => { state.dirty = true; };
        requestAnimationFrame(tick);
    };

    start([...document.querySelectorAll("script.run")].map((data) => unpack(JSON.parse(data.textContent))));
})();
