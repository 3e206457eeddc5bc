// Part of the page of .ci/film_page.py. Before it stand `films`, the content of films in base64 by name, `frames`, that of numbered PNGs,
// and `rate`, frames in a second. Sends back a line for each film.

const bytes = base64 => Uint8Array.from(atob(base64), letter => letter.charCodeAt(0));
const types = { png: "image/png", gif: "image/gif", webp: "image/webp" };
// the least PSNR of lossy formats, dB
const least = { gif: 30, mp4: 24 };

/** The pixels of a picture or a film's frame, without what a codec adds to a side of odd length. */
function pixels(source, width, height) {
    const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
    context.drawImage(source, 0, 0);
    return context.getImageData(0, 0, width, height).data;
}

async function decodedImages(name, type, width, height) {
    const decoder = new ImageDecoder({ data: bytes(films[name]), type });
    await decoder.tracks.ready;
    await decoder.completed;
    const found = [];
    for (let frameIndex = 0; frameIndex < decoder.tracks.selectedTrack.frameCount; frameIndex++) {
        found.push(pixels((await decoder.decode({ frameIndex })).image, width, height));
    }
    return found;
}

/** The frame sought. Chromium may end a seek while the frame before is still shown; a frame tells its time. */
async function shownFrame(video, frame) {
    for (const until = performance.now() + 5000; ;) {
        const shown = new VideoFrame(video);
        if (Math.round(shown.timestamp * 1e-6 * rate) === frame) return shown;
        shown.close();
        if (performance.now() > until) throw new Error(`the browser shows no frame ${frame}`);
        await new Promise(resolve => setTimeout(resolve, 5));
    }
}

async function playedVideo(name, width, height) {
    const video = document.createElement("video");
    const event = kind => new Promise((resolve, reject) => {
        video.addEventListener(kind, resolve, { once: true });
        video.addEventListener("error", () => reject(new Error(`${name}: ${video.error.message}`)), { once: true });
    });
    const ready = event("loadeddata");
    video.src = URL.createObjectURL(new Blob([bytes(films[name])], { type: "video/mp4" }));
    await ready;
    const found = [];
    for (let frame = 0; frame < Math.round(video.duration * rate); frame++) {
        const sought = event("seeked");
        video.currentTime = (frame + 0.5) / rate;
        await sought;
        const shown = await shownFrame(video, frame);
        found.push(pixels(shown, width, height));
        shown.close();
    }
    return found;
}

/** The difference of two pictures, dB; infinite where they are the same. */
function psnr(a, b) {
    let sum = 0;
    for (let at = 0; at < a.length; at++) sum += (a[at] - b[at]) ** 2;
    return sum === 0 ? Infinity : 10 * Math.log10(255 ** 2 / (sum / (a.length / 4 * 3)));
}

const lines = [];
try {
    const expected = [];
    let size;
    for (const frame of frames) {
        const picture = await createImageBitmap(new Blob([bytes(frame)], { type: "image/png" }));
        size = [picture.width, picture.height];
        expected.push(pixels(picture, ...size));
    }
    for (const name of Object.keys(films)) {
        const kind = name.split(".").pop();
        const found = await (kind === "mp4" ? playedVideo(name, ...size) : decodedImages(name, types[kind], ...size));
        const worst = Math.min(...found.map((film, frame) => psnr(film, expected[frame] ?? [])));
        const isSame = found.length === expected.length && (kind in least ? worst > least[kind] : worst === Infinity);
        lines.push(`${isSame ? "ok" : "FAILED"} ${name} by the browser: ${found.length} frames of ${expected.length}, `
            + (worst === Infinity ? "lossless" : `PSNR ${worst.toFixed(1)} dB at least`));
    }
} catch (error) {
    lines.push(`FAILED ${error.message}`);
}
await fetch("/", { method: "POST", body: lines.join("\n") });
