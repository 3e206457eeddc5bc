// The slider under a picture of a trajectory: a button that plays, the frames, and the number of the one that is shown.

/** Fills an element with controls of a viewer's frames, and hides it while the scene has one frame. */
export function player(element, viewer) {
    const [button, slider, number] = ["button", "input", "output"].map(name => document.createElement(name));
    [button.type, slider.type, slider.min, slider.step] = ["button", "range", 0, 1];
    slider.setAttribute("aria-label", "Frame");
    element.replaceChildren(button, slider, number);
    button.onclick = () => viewer.toggle();
    slider.oninput = () => {
        viewer.pause();
        viewer.goTo(Number(slider.value));
    };
    const update = () => {
        const { frame, frames, isPlaying } = viewer;
        element.hidden = frames < 2;
        [slider.max, slider.value] = [frames - 1, frame];
        number.textContent = `${frame} / ${frames - 1}`;
        [button.textContent, button.title] = isPlaying ? ["❚❚", "Pause (Space)"] : ["▶", "Play (Space)"];
        button.setAttribute("aria-label", isPlaying ? "Pause" : "Play");
    };
    viewer.onframes = update;
    update();
}
