// A scene in a canvas: coarse while it moves or plays, refined to the final bytes at rest, with a tooltip for the shape under the pointer.

import { Orbit, PanZoom } from "./camera.js";

/** The longest that a moving frame should take, in milliseconds. */
const FRAME_TIME = 45;

/** Milliseconds without a change after which the picture is refined. */
const REST = 120;

/** About how long a worker draws before it checks for a newer view, in milliseconds. */
const SLICE_TIME = 120;

/** Qualities of moving frames, finest first: what is drawn, and the side of the square that each drawn pixel fills. */
const STEPS = [["final", 1], ["one_sample", 1], ["one_sample", 2], ["plain", 1], ["plain", 2], ["plain", 3], ["plain", 4], ["plain", 6]];

/** The step of the first frame. */
const FIRST_STEP = 3;

/** Milliseconds for which each frame of a playing trajectory is shown, if it is drawn in time. */
const PLAYED = 40;

/** A press that moves less than this before its release is a click, in CSS pixels. */
const CLICK = 4;

/** Workers by default: each reads the scene by itself, so that many take much memory. */
const MOST_WORKERS = 4;

const wait = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds));

/** Marks beside the picture have no room in a canvas of another size. */
const NO_ROOM = { left: 0, top: 0, right: 0, bottom: 0 };

export class Viewer {
    constructor(canvas, options) {
        Object.assign(this, { canvas, options, pointers: new Map(), instances: [], times: [], heights: [], step: FIRST_STEP, change: 0 });
        Object.assign(this, { frames: 1, frame: 0, isPlaying: false, room: NO_ROOM });
        this.context = canvas.getContext("2d");
        this.picture = document.createElement("canvas");
        this.tooltip = options.tooltip === false ? undefined : tooltipBeside(canvas);
        canvas.style.touchAction = "none";
        if (!canvas.hasAttribute("tabindex")) canvas.tabIndex = 0;
        this.listening = new AbortController();
        this.listen();
    }

    /** Shows another scene. Resolves once its first frame is shown. */
    async show(scene) {
        const before = this.instances;
        const count = this.options.workers ?? Math.min(navigator.hardwareConcurrency || 1, MOST_WORKERS);
        const first = await scene.take();
        const found = await framesIn(first);
        const started = performance.now();
        this.pause();
        this.scene = scene;
        this.instances = [first];
        before.forEach(instance => instance.end());
        this.facts = { ...scene.facts, ...found };
        [this.frames, this.frame, this.note] = [found.frames, found.frame ?? 0, found.note];
        const { kind, width, height, canvas: [across, down], camera, bounds, view_box } = this.facts;
        this.motion = kind === "circles" ? new PanZoom(across, down, view_box) : new Orbit(camera, bounds, width / height);
        this.room = NO_ROOM;
        this.final = undefined;
        [this.step, this.times] = [FIRST_STEP, []];
        this.hideTooltip();
        this.resize();
        this.onframes?.();
        await this.redraw();
        this.loadTime = performance.now() - started;
        // the first frame does not wait for the others
        const others = Array.from({ length: count - 1 }, async () => {
            const other = await scene.take();
            if (this.frames > 1) await framesIn(other);
            if (this.scene === scene && !this.listening.signal.aborted) this.instances.push(other);
            else other.end();
        });
        Promise.all(others).catch(error => this.fail(error));
    }

    /** Reads the scene again with these options beside its own, such as `{ look: "flat" }`; the view stays. */
    async set(options) {
        const { scene } = this;
        Object.assign(scene.options, options);
        scene.close();
        const answers = await Promise.all(this.instances.map(async instance => {
            const { answer } = await scene.prepare(instance, scene.options);
            return [answer, this.frames > 1 ? await framesIn(instance) : {}];
        }));
        const [facts, found] = answers[0];
        scene.facts = facts;
        this.facts = { ...facts, ...found };
        this.room = NO_ROOM;
        this.resize();
        this.redraw();
    }

    /** The actions of mouse and keys, in a line. */
    get help() {
        const plays = this.frames > 1 ? " · Space plays" : "";
        return this.motion instanceof Orbit
            ? `Drag to orbit · Shift and drag to pan · wheel to zoom · double-click a sphere to orbit around it · click it for its row${plays}`
            : `Drag to pan · wheel to zoom · click a point for its row${plays}`;
    }

    // frames of a trajectory

    /** Shows a frame. Resolves once it is drawn. */
    goTo(frame) {
        this.frame = Math.min(Math.max(0, Math.round(frame)), this.frames - 1);
        this.hideTooltip();
        this.onframes?.();
        return this.redraw();
    }

    /** Plays all frames, again and again. */
    async play() {
        if (this.frames < 2 || this.isPlaying) return;
        const run = {};
        [this.isPlaying, this.run] = [true, run];
        while (this.isPlaying && this.run === run) {
            const started = performance.now();
            await this.goTo((this.frame + 1) % this.frames);
            await wait(Math.max(0, started + PLAYED - performance.now()));
        }
    }

    pause() {
        if (!this.isPlaying) return;
        this.isPlaying = false;
        this.onframes?.();
    }

    toggle() {
        if (this.isPlaying) this.pause();
        else this.play();
    }

    /** Returns to the view of the file. */
    reset() {
        this.motion.reset();
        this.redraw();
    }

    /** The command that draws the picture in the canvas. */
    async command() {
        const { answer } = await this.instances[0].ask({ do: "command", view: this.view() });
        return answer;
    }

    /** The final picture in the canvas as a PNG. */
    async png() {
        const { bytes } = await this.instances[0].ask({ do: "picture", format: "png", view: this.view() });
        return new Blob([bytes], { type: "image/png" });
    }

    /** Resolves once the canvas shows the final picture: its pixels, as ImageData. */
    async finished() {
        while (!this.final) await wait(20);
        return this.final;
    }

    /** Ends the workers, and hands the canvas back. */
    close() {
        this.pause();
        this.listening.abort();
        this.observer.disconnect();
        this.instances.forEach(instance => instance.end());
        this.tooltip?.remove();
    }

    fail(error) {
        // another scene has replaced this one
        if (error.isEnded) return;
        this.pause();
        if (this.options.onerror) this.options.onerror(error);
        else console.error(error);
    }

    // the picture

    get aspect() {
        return this.width / this.height;
    }

    /** Fits the canvas to the page. */
    resize() {
        const { canvas, room } = this;
        const ratio = this.options.pixelRatio ?? Math.min(devicePixelRatio || 1, 2);
        const [width, height] = [canvas.clientWidth, canvas.clientHeight].map(side => Math.max(16, Math.round(side * ratio)));
        if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
        this.width = Math.max(16, width - room.left - room.right);
        this.height = Math.max(16, height - room.top - room.bottom);
    }

    /** Draws the marks beside the picture, such as a legend, for the next frame, and leaves room for them. */
    async drawMarks() {
        // less room for the picture changes the marks
        for (let pass = 0; pass < 3; pass++) {
            const view = this.view();
            const { width, height, bytes, answer: { offset: [left, top] } } = await this.instances[0].ask({ do: "marks", view });
            this.marks = { image: new ImageData(new Uint8ClampedArray(bytes), width, height), left, top };
            const needed = { left, top, right: width - view.width - left, bottom: height - view.height - top };
            const { room } = this;
            if (Object.keys(room).every(side => needed[side] <= room[side])) return;
            this.room = Object.fromEntries(Object.keys(room).map(side => [side, Math.max(room[side], needed[side])]));
            this.resize();
        }
    }

    /** Shows a picture with marks, whose own picture is so far from its left and top. */
    paintMarked({ image, left, top }) {
        const { context, canvas, room, facts } = this;
        context.clearRect(0, 0, canvas.width, canvas.height);
        context.fillStyle = facts.background;
        context.fillRect(0, 0, canvas.width, canvas.height);
        context.putImageData(image, room.left - left, room.top - top);
    }

    /** The view as workers take it, each pixel being a square of `side` by `side` pixels. */
    view(side = 1, quality = "final") {
        const [width, height] = [Math.ceil(this.width / side), Math.ceil(this.height / side)];
        const aspect = width / height;
        const shown = this.motion instanceof Orbit
            ? { camera: this.motion.camera(aspect) }
            : { view_box: this.motion.viewBox(aspect) };
        return { width, height, quality, ...shown, ...(this.frames > 1 && { frame: this.frame }) };
    }

    /** Draws the changed view. Resolves once a frame of it is shown. */
    redraw() {
        this.change++;
        this.final = undefined;
        this.hovered = undefined;
        this.drawing ??= this.drawMoving().catch(error => this.fail(error)).finally(() => { this.drawing = undefined; });
        return this.drawing;
    }

    async drawMoving() {
        let drawn;
        while (drawn !== this.change) {
            drawn = this.change;
            await new Promise(resolve => requestAnimationFrame(resolve));
            await this.busy;
            drawn = this.change;
            const [quality, side] = STEPS[this.step];
            const started = performance.now();
            try {
                const marks = this.facts.has_marks_beside && this.drawMarks();
                if (this.room === NO_ROOM) await marks;
                // the first worker draws the marks before its band
                const { room } = this;
                await Promise.all([marks, this.draw(this.view(side, quality), this.instances.length)]);
                if (room !== this.room) drawn = undefined;
            } catch (error) {
                if (!error.isEnded || this.listening.signal.aborted) throw error;
                // another scene has replaced this one
                drawn = undefined;
                continue;
            }
            this.adapt(performance.now() - started);
            this.shown = [quality, side];
        }
        this.options.onframe?.({ quality: this.shown[0], side: this.shown[1], time: this.times[this.step] });
        clearTimeout(this.resting);
        this.resting = setTimeout(() => { this.busy = this.refine(drawn).catch(error => this.fail(error)); }, REST);
    }

    /** Chooses the step of the next moving frame by the time of the last one. */
    adapt(time) {
        const { step, times } = this;
        times[step] = times[step] === undefined ? time : 0.5 * (times[step] + time);
        const work = ([quality, side]) => (quality === "plain" ? 1 : quality === "one_sample" ? 4 : 12) / (side * side);
        if (times[step] > FRAME_TIME && step < STEPS.length - 1) {
            // if fewer pixels do not help, shapes take the time
            const helped = step === 0 || times[step - 1] === undefined || times[step] < 0.85 * times[step - 1];
            if (helped) this.step++;
        } else if (step > 0) {
            const expected = times[step - 1] ?? (times[step] * work(STEPS[step - 1])) / work(STEPS[step]);
            if (expected < FRAME_TIME) this.step--;
            // a step that was slow may be fast for another part of the scene
            else if (times[step - 1] !== undefined) times[step - 1] *= 0.98;
        }
    }

    /** Draws the picture at rest, better and better, unless the view changes. */
    async refine(change) {
        const isCurrent = () => this.change === change;
        if (!isCurrent()) return;
        const workers = this.instances.length;
        let time = 0;
        if (this.shown[0] !== "final" || this.shown[1] !== 1) {
            const started = performance.now();
            await this.draw(this.view(1, "one_sample"), workers);
            time = performance.now() - started;
        }
        if (!isCurrent()) return;
        if (this.facts.has_marks_beside) {
            const { width, height, bytes, answer: { offset: [left, top] } } =
                await this.instances[0].ask({ do: "picture", format: "rgba", view: this.view() });
            if (!isCurrent()) return;
            this.final = new ImageData(new Uint8ClampedArray(bytes), width, height);
            this.paintMarked({ image: this.final, left, top });
        } else {
            // enough parts that a new view never waits long
            const parts = workers * Math.max(1, Math.min(8, Math.round((4 * time) / SLICE_TIME)));
            const final = await this.draw(this.view(), parts, isCurrent);
            if (!isCurrent()) return;
            this.final = final;
        }
        this.options.onframe?.({ quality: "final", side: 1 });
    }

    /** Draws a view in parts, each by the next worker that is free, and shows them. Returns the pixels. */
    async draw(view, parts, isCurrent = () => true) {
        const image = new ImageData(view.width, view.height);
        // one part per worker: bands of equal time
        const isShared = parts === this.instances.length;
        if (isShared && this.heights.length !== parts) this.heights = new Array(parts).fill(1 / parts);
        const heights = isShared ? this.heights : new Array(parts).fill(1 / parts);
        const ends = heights.map((_, part) => Math.round(view.height * sum(heights.slice(0, part + 1))));
        const times = [];
        let next = 0;
        const work = async instance => {
            while (next < parts && isCurrent()) {
                const part = next++;
                const started = performance.now();
                const { bytes, answer: { rows } } = await instance.ask({ do: "draw", view, rows: [part && ends[part - 1], ends[part]] });
                times[part] = performance.now() - started;
                image.data.set(new Uint8Array(bytes), 4 * image.width * rows[0]);
                if (!isShared && isCurrent()) this.paint(image, view, rows);
            }
        };
        await Promise.all(this.instances.map(work));
        if (isShared && isCurrent()) {
            this.paint(image, view);
            this.heights = balanced(heights, times);
        }
        return image;
    }

    /** Shows an image, or rows of it, in the canvas. */
    paint(image, view, [from, to] = [0, image.height]) {
        const { context, picture, marks, room: { left, top } } = this;
        if (marks) this.paintMarked(marks);
        this.marks = undefined;
        if (view.width === this.width && view.height === this.height) {
            return context.putImageData(image, left, top, 0, from, image.width, to - from);
        }
        [picture.width, picture.height] = [image.width, image.height];
        picture.getContext("2d").putImageData(image, 0, 0);
        // squares of the coarse picture may extend beyond the picture
        const side = Math.ceil(this.height / view.height);
        context.save();
        context.beginPath();
        context.rect(left, top, this.width, this.height);
        context.clip();
        context.clearRect(left, top, this.width, this.height);
        const [width, height] = [image.width * side, image.height * side];
        context.drawImage(picture, left + 0.5 * (this.width - width), top + 0.5 * (this.height - height), width, height);
        context.restore();
    }

    // the hand

    listen() {
        const { canvas, listening: { signal } } = this;
        const on = (name, handle, options) => canvas.addEventListener(name, handle, { signal, ...options });
        on("pointerdown", event => this.press(event));
        on("pointermove", event => this.move(event));
        on("pointerup", event => this.release(event));
        on("pointercancel", event => this.release(event));
        on("pointerleave", () => { if (!this.pinned) this.hideTooltip(); });
        on("contextmenu", event => event.preventDefault());
        on("dblclick", event => this.centerOn(event));
        on("wheel", event => this.wheel(event), { passive: false });
        on("keydown", event => this.key(event));
        this.observer = new ResizeObserver(() => {
            if (!this.motion) return;
            const before = [canvas.width, canvas.height];
            this.resize();
            if (before[0] === canvas.width && before[1] === canvas.height) return;
            this.room = NO_ROOM;
            this.resize();
            this.redraw();
        });
        this.observer.observe(canvas);
    }

    /** A position in the canvas, in window heights from the centre of the picture. */
    place({ offsetX, offsetY }) {
        const { canvas, room, width, height } = this;
        const ratio = canvas.width / canvas.clientWidth;
        return [offsetX * ratio - room.left - 0.5 * width, offsetY * ratio - room.top - 0.5 * height].map(along => along / height);
    }

    /** The pixel under the pointer, or undefined outside of the picture. */
    pixel(event) {
        const [x, y] = this.place(event);
        const pixel = [x * this.height + 0.5 * this.width, y * this.height + 0.5 * this.height].map(Math.floor);
        const isInside = pixel[0] >= 0 && pixel[1] >= 0 && pixel[0] < this.width && pixel[1] < this.height;
        return isInside ? pixel : undefined;
    }

    /** Restarts the drag from the current pointers and camera. */
    startDrag() {
        if (!this.motion) return;
        const places = [...this.pointers.values()];
        this.drag = { places, position: this.motion.position(), spread: 1 };
    }

    press(event) {
        this.canvas.setPointerCapture(event.pointerId);
        this.canvas.focus({ preventScroll: true });
        this.hideTooltip();
        if (this.pointers.size === 0) [this.origin, this.hasMoved] = [event, false];
        this.pointers.set(event.pointerId, this.place(event));
        this.startDrag();
        this.pans = event.shiftKey || event.button > 0;
    }

    move(event) {
        if (!this.motion) return;
        if (!this.pointers.has(event.pointerId)) return this.hover(event);
        this.hasMoved ||= Math.hypot(event.offsetX - this.origin.offsetX, event.offsetY - this.origin.offsetY) >= CLICK;
        this.pointers.set(event.pointerId, this.place(event));
        if (!this.hasMoved || !this.drag) return;
        const { motion, drag, aspect } = this;
        const places = [...this.pointers.values()];
        const middle = points => [0, 1].map(axis => points.reduce((sum, point) => sum + point[axis], 0) / points.length);
        const [from, to] = [middle(drag.places), middle(places)];
        const along = [to[0] - from[0], to[1] - from[1]];
        if (places.length > 1) {
            const spread = points => Math.hypot(points[0][0] - points[1][0], points[0][1] - points[1][1]);
            const factor = spread(places) / Math.max(spread(drag.places), 1e-6);
            motion.pan(drag.position, along, aspect);
            motion.zoom(factor, to, aspect);
            this.startDrag();
        } else if (motion instanceof Orbit && !this.pans) {
            motion.orbit(drag.position, along);
        } else {
            motion.pan(drag.position, along, aspect);
        }
        this.redraw();
    }

    release(event) {
        const isClick = this.pointers.size === 1 && !this.hasMoved && event.type === "pointerup" && event.button === 0;
        this.pointers.delete(event.pointerId);
        this.startDrag();
        if (isClick) this.pick(event, true).catch(error => this.fail(error));
    }

    wheel(event) {
        if (!this.motion) return;
        event.preventDefault();
        // a notch is 100 or 120 pixels, or 3 lines
        const notches = -event.deltaY / (event.deltaMode === 1 ? 3 : 100);
        const anchor = this.motion instanceof Orbit && !event.ctrlKey ? [0, 0] : this.place(event);
        this.motion.zoom(1.1 ** Math.max(-10, Math.min(10, notches)), anchor, this.aspect);
        this.hideTooltip();
        this.startDrag();
        this.redraw();
    }

    key(event) {
        const { motion, aspect } = this;
        if (!motion || event.metaKey || event.altKey) return;
        const isSolid = motion instanceof Orbit;
        const along = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
        const turn = Math.PI / 2;
        const views = { 1: [0, 0], 3: [turn, 0], 7: [0, turn], 9: [motion.yaw + Math.PI, -motion.pitch] };
        if (along && isSolid && !event.shiftKey) motion.orbit(motion.position(), along.map(part => part / 24));
        else if (along) motion.pan(motion.position(), along.map(part => -part / 12), aspect);
        else if (event.key === "+" || event.key === "=") motion.zoom(1.1, [0, 0], aspect);
        else if (event.key === "-") motion.zoom(1 / 1.1, [0, 0], aspect);
        else if (event.key === "Enter" || event.key === "Home") motion.reset();
        else if (event.key === "f" && isSolid) motion.fit(aspect);
        else if (event.key === "f") motion.reset();
        else if (event.key === "5" && isSolid) motion.toggleParallel();
        else if (event.key === " " && this.frames > 1) return this.toggle(event.preventDefault());
        else if ((event.key === "," || event.key === ".") && this.frames > 1) return this.goTo(this.frame + (event.key === "." ? 1 : -1));
        else if (views[event.key] && isSolid) motion.look(...views[event.key]);
        else return;
        event.preventDefault();
        this.redraw();
    }

    // what is under the pointer

    /** Looks up the shape under a resting pointer. */
    hover(event) {
        if (this.pinned || event.pointerType === "touch") return;
        this.hideTooltip();
        clearTimeout(this.hovering);
        this.hovering = setTimeout(() => {
            if (this.final && this.pointers.size === 0) this.pick(event, false).catch(error => this.fail(error));
        }, 60);
    }

    /** Finds the shape under the pointer, and shows it. A click keeps it shown, and calls `onpick`. */
    async pick(event, isClick) {
        const pixel = this.pixel(event);
        const change = this.change;
        const isQuick = isClick || this.loadTime < 400;
        const found = pixel && (await this.instances[0].ask({ do: "pick", view: this.view(), pixel, record: isQuick })).answer;
        if (change !== this.change || (this.pinned && !isClick)) return;
        if (isClick) {
            this.pinned = Boolean(found);
            this.options.onpick?.(found ?? null);
        }
        if (found) this.showTooltip(event, found);
        else this.hideTooltip();
    }

    /** Moves the centre of orbiting to the sphere under the pointer. */
    async centerOn(event) {
        const pixel = this.motion instanceof Orbit && this.pixel(event);
        const found = pixel && (await this.instances[0].ask({ do: "pick", view: this.view(), pixel, record: false })).answer;
        if (!found) return;
        this.hideTooltip();
        this.motion.center(found.shape.center);
        this.redraw();
    }

    showTooltip({ offsetX, offsetY }, { shape, record }) {
        const { tooltip, canvas } = this;
        if (!tooltip) return;
        const digits = number => Number(number.toPrecision(6));
        const rows = record.length > 0
            ? record
            : [[shape.kind, shape.index], ["at", shape.center.map(digits).join(", ")], ["radius", digits(shape.radius)]];
        tooltip.replaceChildren(...rows.map(([name, value]) => {
            const row = document.createElement("div");
            const label = document.createElement("b");
            label.textContent = name;
            row.append(label, ` ${value}`);
            return row;
        }));
        tooltip.hidden = false;
        const [right, below] = [canvas.clientWidth - offsetX < tooltip.offsetWidth + 24, canvas.clientHeight - offsetY < tooltip.offsetHeight + 24];
        tooltip.style.left = `${canvas.offsetLeft + offsetX + (right ? -tooltip.offsetWidth - 12 : 14)}px`;
        tooltip.style.top = `${canvas.offsetTop + offsetY + (below ? -tooltip.offsetHeight - 12 : 14)}px`;
    }

    hideTooltip() {
        this.pinned = false;
        if (this.tooltip) this.tooltip.hidden = true;
    }
}

/** Finds the frames of a trajectory in an instance, which draws them with one camera and one range of colours from then on. */
const framesIn = async instance => (await instance.ask({ do: "frames" })).answer;

const sum = numbers => numbers.reduce((total, number) => total + number, 0);

/** Heights of bands with equal times, given the times of bands of these heights. Damped, as times vary. */
function balanced(heights, times) {
    const mean = sum(times) / times.length;
    const next = heights.map((height, part) => height * Math.sqrt(Math.min(2, Math.max(0.5, mean / times[part]))));
    return next.map(height => height / sum(next));
}

function tooltipBeside(canvas) {
    const tooltip = document.createElement("div");
    tooltip.setAttribute("role", "status");
    tooltip.className = "roundel-tooltip";
    tooltip.hidden = true;
    tooltip.style.cssText = "position:absolute;pointer-events:none;z-index:10;max-width:24em;max-height:20em;overflow:hidden;padding:6px 9px;"
        + "border-radius:4px;background:rgba(20,24,30,.92);color:#fff;font:12px/1.45 system-ui,sans-serif;white-space:pre-wrap";
    canvas.after(tooltip);
    return tooltip;
}
