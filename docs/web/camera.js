// Interactive cameras: an orbit around spheres, pan and zoom over circles. Both behave as in `roundel view`.

const add = (a, b) => a.map((value, axis) => value + b[axis]);
const scaled = (a, factor) => a.map(value => value * factor);
const minus = (a, b) => a.map((value, axis) => value - b[axis]);
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const norm = a => Math.sqrt(dot(a, a));
const unit = (a, otherwise) => (norm(a) > 0 ? scaled(a, 1 / norm(a)) : otherwise);
const clamp = (value, least, most) => Math.min(Math.max(value, least), most);
const radians = degrees => (degrees * Math.PI) / 180;
const degrees = angle => (angle * 180) / Math.PI;

/** The angle of view where a scene with parallel rays becomes one in perspective, in degrees. */
const PERSPECTIVE = 30;

/** The range of the distance from eye to target, in radii of the scene. */
const DISTANCES = [1e-5, 1e4];

/** A turntable around a target: the horizon never tilts, and nothing flips at the poles. */
export class Orbit {
    /** `home` has eye, target, up and fov or ortho_height; `bounds` is [center, radius]; `aspect` the home picture's. */
    constructor(home, bounds, aspect) {
        this.home = home;
        this.bounds = bounds ?? [home.target, 1];
        this.homeAspect = aspect;
        const up = unit(home.up, [0, 1, 0]);
        // the front of a scene with z up faces −y, of any other +z
        const front = Math.abs(up[2]) > 0.9 ? [0, -1, 0] : [0, 0, 1];
        const level = unit(minus(front, scaled(up, dot(front, up))), [1, 0, 0]);
        this.axes = [cross(up, level), up, level];
        this.reset();
    }

    reset() {
        const { home, axes } = this;
        const toEye = minus(home.eye, home.target);
        const direction = unit(toEye, [0, 0, 1]);
        const [right, up, front] = axes.map(axis => dot(axis, direction));
        this.isHome = true;
        this.target = home.target;
        this.yaw = right === 0 && front === 0 ? 0 : Math.atan2(right, front);
        this.pitch = Math.asin(clamp(up, -1, 1));
        this.isParallel = home.ortho_height !== undefined;
        this.fov = home.fov ?? PERSPECTIVE;
        this.distance = this.isParallel ? (0.5 * home.ortho_height) / Math.tan(0.5 * radians(PERSPECTIVE)) : norm(toEye);
    }

    /** The picture's directions: right, up and toward the eye. */
    directions() {
        const [right, up, front] = this.axes;
        const [sinYaw, cosYaw, sinPitch, cosPitch] =
            [Math.sin(this.yaw), Math.cos(this.yaw), Math.sin(this.pitch), Math.cos(this.pitch)];
        const level = add(scaled(front, cosYaw), scaled(right, sinYaw));
        return [
            minus(scaled(right, cosYaw), scaled(front, sinYaw)),
            minus(scaled(up, cosPitch), scaled(level, sinPitch)),
            add(scaled(level, cosPitch), scaled(up, sinPitch)),
        ];
    }

    /** Height of the picture at the target, in world units. */
    height() {
        return 2 * this.distance * Math.tan(0.5 * radians(this.fov));
    }

    /** A copy to measure a drag from. */
    position() {
        const { target, yaw, pitch, distance } = this;
        return { target, yaw, pitch, distance };
    }

    /** Orbits by a drag since `start`, in window heights: one is half a turn. */
    orbit(start, [x, y]) {
        this.isHome = false;
        this.yaw = (start.yaw - Math.PI * x) % (2 * Math.PI);
        this.pitch = clamp(start.pitch + Math.PI * y, -0.5 * Math.PI, 0.5 * Math.PI);
    }

    /** Pans by a drag since `start`, in window heights. */
    pan(start, [x, y]) {
        this.isHome = false;
        const [right, up] = this.directions();
        const along = minus(scaled(up, y), scaled(right, x));
        this.target = add(start.target, scaled(along, this.height()));
    }

    /** Divides the distance by `factor`; the point under `cursor`, in window heights from the middle, stays in place. */
    zoom(factor, [x, y] = [0, 0]) {
        this.isHome = false;
        const [right, up] = this.directions();
        const under = scaled(minus(scaled(right, x), scaled(up, y)), this.height());
        const before = this.distance;
        const [least, most] = DISTANCES.map(radii => radii * this.bounds[1]);
        this.distance = clamp(before / factor, Math.min(least, before), Math.max(most, before));
        this.target = add(this.target, scaled(under, 1 - this.distance / before));
    }

    look(yaw, pitch) {
        this.isHome = false;
        [this.yaw, this.pitch] = [yaw, pitch];
    }

    center(point) {
        this.isHome = false;
        this.target = point;
    }

    toggleParallel() {
        this.isHome = false;
        this.isParallel = !this.isParallel;
    }

    /** Shows the whole scene from the current direction. */
    fit(aspect) {
        this.isHome = false;
        this.target = this.bounds[0];
        const half = 0.5 * radians(this.fov);
        this.distance = this.bounds[1] / Math.sin(Math.min(half, Math.atan(Math.tan(half) * aspect)));
    }

    /** The camera by the names of options for a picture of this aspect ratio; `null` if it is the scene's own. */
    camera(aspect) {
        // a narrower picture keeps the scene's width, and shows more above and below
        const widening = Math.max(1, this.homeAspect / aspect);
        if (this.isHome && widening < 1.001) return null;
        const lens = this.isParallel
            ? { ortho_height: this.height() * widening }
            : { fov: degrees(2 * Math.atan(Math.tan(0.5 * radians(this.fov)) * widening)) };
        if (this.isHome) return { eye: this.home.eye, target: this.home.target, up: this.home.up, ...lens };
        const [, up, toEye] = this.directions();
        // parallel rays start in the plane of the eye, which must not cut through the scene
        const clear = dot(minus(this.bounds[0], this.target), toEye) + 1.1 * this.bounds[1];
        const distance = this.isParallel ? Math.max(this.distance, clear) : this.distance;
        return { eye: add(this.target, scaled(toEye, distance)), target: this.target, up, ...lens };
    }
}

/** A part of a canvas. Positions are in the canvas's own pixels. */
export class PanZoom {
    /** `home` is the centre and the height of the part that is shown first; left out: the whole canvas. */
    constructor(width, height, home) {
        Object.assign(this, { width, height, home });
        this.reset();
    }

    reset() {
        const [x, y, height] = this.home ?? [0.5 * this.width, 0.5 * this.height, this.height];
        [this.isHome, this.middle, this.magnification] = [!this.home, [x, y], this.height / height];
    }

    /** Window heights per pixel of the canvas. */
    scale(aspect) {
        return this.magnification * Math.min(1 / this.height, aspect / this.width);
    }

    position() {
        return { middle: this.middle };
    }

    pan(start, [x, y], aspect) {
        this.isHome = false;
        const scale = this.scale(aspect);
        this.middle = [start.middle[0] - x / scale, start.middle[1] - y / scale];
    }

    zoom(factor, [x, y] = [0, 0], aspect) {
        this.isHome = false;
        const before = this.scale(aspect);
        this.magnification = clamp(this.magnification * factor, 1e-9, 1e12);
        const after = this.scale(aspect);
        this.middle = [this.middle[0] + x / before - x / after, this.middle[1] + y / before - y / after];
    }

    /** Centre and height of the part that is shown; `null` if it is the whole canvas. */
    viewBox(aspect) {
        return this.isHome ? null : [...this.middle, 1 / this.scale(aspect)];
    }
}
