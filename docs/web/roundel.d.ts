/** Anything that can be read: the URL of a file, a file, bytes, or several files, of which the first is drawn and names the others. */
export type Source =
    | string
    | URL
    | Blob
    | ArrayBuffer
    | ArrayBufferView
    | FileList
    | File[]
    | Record<string, string | Blob | ArrayBuffer | ArrayBufferView>;

/** Reads a scene or data in a worker. */
export function load(source: Source, options?: LoadOptions): Promise<Scene>;

/** Shows a scene in a canvas: drag to orbit, wheel to zoom, point at a shape to see its row. */
export function view(canvas: HTMLCanvasElement, scene: Scene, options?: ViewOptions): Promise<Viewer>;

/** What was dropped on a page, for `load`: a scene before the files that it names, a trajectory before the file that names its atoms. */
export function arranged(files: FileList | File[]): [File[], Options];

/** Describes the options, as `roundel render --help` does. */
export function options(): Promise<OptionDescription[]>;

/** Says where the parts of the package are, if they do not lie beside roundel.js. */
export function setup(places: { wasm?: string | URL | ArrayBuffer | Uint8Array | WebAssembly.Module; worker?: string | URL }): void;

/** A scene that was read. */
export class Scene {
    /** The name of the file. */
    readonly name: string;
    readonly kind: "circles" | "spheres";
    /** Size of the picture of the command line, without the marks beside it. */
    readonly width: number;
    readonly height: number;
    /** Number of circles or spheres. */
    readonly shapes: number;
    /** Sentences about rows that were left out, and the like. */
    readonly notes: string[];
    /** Draws the picture of `roundel render` with these options beside those of `load`: the same bytes. */
    render(options?: Options & { format?: "imagedata" }): Promise<ImageData>;
    render(options: Options & { format: "png" }): Promise<Blob>;
    /** Ends the scene's worker; viewers go on. */
    close(): void;
}

/** A scene in a canvas. */
export class Viewer {
    readonly scene: Scene;
    /** Frames of a trajectory, with one camera and one range of colours; 1 for other files. */
    readonly frames: number;
    /** The frame that is shown, from 0. */
    readonly frame: number;
    readonly isPlaying: boolean;
    /** Why a trajectory does not play, if it is too long. */
    readonly note?: string;
    /** The actions of mouse and keys, in a line. */
    readonly help: string;
    /** Called when the frame changes, playing begins or ends, or another scene is shown. */
    onframes?: () => void;
    /** Shows a frame. Resolves once it is drawn. */
    goTo(frame: number): Promise<void>;
    /** Plays all frames, again and again, or stops. */
    play(): Promise<void>;
    pause(): void;
    toggle(): void;
    /** Shows another scene. */
    show(scene: Scene): Promise<void>;
    /** Reads the scene again with these options beside its own; the view stays. */
    set(options: Options): Promise<void>;
    /** Returns to the view of the file. */
    reset(): void;
    /** Resolves with the pixels of the canvas once it shows the final picture. */
    finished(): Promise<ImageData>;
    /** The final picture as a PNG. */
    png(): Promise<Blob>;
    /** The command line that draws the picture in the canvas. */
    command(): Promise<string>;
    /** Ends the workers. */
    close(): void;
}

export interface ViewOptions {
    /** Workers that draw together. Each has the scene in memory. Left out: one a processor, at most 4. */
    workers?: number;
    /** Pixels of the canvas per pixel of the page. Left out: those of the screen, at most 2. */
    pixelRatio?: number;
    /** `false`: no tooltip. */
    tooltip?: boolean;
    /** Called with the shape that was clicked on, or `null`. */
    onpick?: (picked: Picked | null) => void;
    /** Called for each picture that is shown; `side` is the side of the square that a drawn pixel fills. */
    onframe?: (frame: { quality: "final" | "one_sample" | "plain"; side: number; time?: number }) => void;
    onerror?: (error: Error) => void;
}

export interface Picked {
    shape: { kind: "circle" | "ellipse" | "segment" | "sphere"; index: number; center: number[]; radius: number };
    /** Names and values of the shape's row of the file. */
    record: [string, string][];
}

export interface OptionDescription {
    name: string;
    help: string;
    /** What it takes, in words. */
    value: string;
    /** The names that it takes, if it takes names alone. */
    names: string[];
    kind: string;
}

export interface LoadOptions extends Options {
    /** The name of bytes, whose ending may tell their format. */
    name?: string;
}

/** The options of `roundel render`, by the names of its flags with underscores. */
export interface Options {
    // options: made by crates/load/src/scene_file/reference/javascript.rs
    /** Width of the picture; given without a height, the picture keeps its shape. */
    width?: number | null;
    /** Height of the picture; given without a width, the picture keeps its shape. */
    height?: number | null;
    /** Background colour: a CSS name, transparent, #rgb, #rgba, #rrggbb or #rrggbbaa. */
    background?: string | null;
    /** Draw only this part of the picture, given by its centre and height in the pixels of the whole picture as it is without width and height, which are then those of the part (circles only). */
    view_box?: number[] | string | null;
    /** Samples per pixel. */
    samples?: number | null;
    /** Look, a set of numbers for shading: illustrative (molecules without a scene), studio (particles without a scene), glossy (studio with highlights), flat, headlight (scenes that name none) or auto (draws a scene as its files are drawn without one). */
    look?: "illustrative" | "studio" | "glossy" | "flat" | "headlight" | "auto" | null;
    /** Ambient occlusion: `smooth` finds it without rays, a number is that of rays per sample, `off` turns it off. */
    ao?: "smooth" | "off" | number | null;
    /** Only spheres up to this far away occlude, in world units. */
    ao_distance?: number | null;
    /** Cast shadows from directional lights; shadows=false turns them off. */
    shadows?: boolean | null;
    /** Light that comes from everywhere, from 0 to 1. */
    ambient?: number | null;
    /** How much of the ambient light occlusion can take away, from 0 to 1. */
    ao_strength?: number | null;
    /** Intensity of the key light, over the camera's left shoulder; a scene's own lights take its place. */
    key?: number | null;
    /** Intensity of the fill light, beside the camera, which casts no shadow. */
    fill?: number | null;
    /** Angle across the key light, from 0 for hard shadows to 90. */
    key_angle?: number | null;
    /** Light from behind that grazes the edges of shapes, from 0 to 1, which sets them off against a dark background. */
    rim?: number | null;
    /** Strength of highlights, from 0 for matt surfaces to 1; 0.5 is plastic. */
    specular?: number | null;
    /** How blurred highlights are, from 0.1 for small and bright ones to 1. */
    roughness?: number | null;
    /** How much fog hides what is farthest, from 0 to 1. */
    fog?: number | null;
    /** Where fog begins, from 0 at the front of the spheres to 1 at their back; most of what shows lies in the front half. */
    fog_start?: number | null;
    /** Width of outlines, which may be fractional; 0 draws none. */
    outline_width?: number | null;
    /** Draw outlines where the depth jumps by more than this many times the size of a pixel; they are faint at first, and have their full colour where it jumps by twice as much. */
    outline_depth?: number | null;
    /** Light spheres of less than half this radius on the picture together, as the surface that they make up. */
    cloud_radius?: number | null;
    /** Colour of outlines, which is opaque. */
    outline_color?: string | null;
    /** How translucent spheres are composed: shell, the outer surface of the touching spheres of a chain or file; front, of these the first surface alone; surfaces, the front and the back of every sphere; solid, a medium that absorbs light along the way through [default: front for molecules, shell for everything else]. */
    transparency?: "shell" | "front" | "surfaces" | "solid" | null;
    /** Seed of all random numbers. */
    seed?: number | null;
    /** Side to look from: broadside, front, back, left, right, top, bottom or iso; several, as in front,right,top,iso, for the panels of grid; or an axis of the data that points to the eye: an edge of the periodic box (a or b, with c up, or c, with b up), or a principal axis of everything or of a selection ('axis 1', 'axis 3 of chain A'; 1 is the longest). Data is seen broadside, with its longest axis across the picture, unless it fills a periodic box: particles in one are seen from a corner (iso), molecules along z. Of particles, simulations and membranes z is up and the front faces -y; of molecules y is up and the front faces +z. */
    view?: string | number | null;
    /** Move the eye around to the right. */
    azimuth?: number | null;
    /** Then move the eye up. */
    elevation?: number | null;
    /** Then turn the picture counter-clockwise. */
    roll?: number | null;
    /** Enlarge everything by this factor. */
    zoom?: number | null;
    /** Look at these rows: they fill the picture, and what is in front of them is cut away (data files). */
    focus?: string | number | null;
    /** Room around the rows to look at, in world units [default: a quarter of their extent, and 2]. */
    focus_margin?: number | null;
    /** Keep only what lies on one side of a plane, such as 'x<12' or 'z>-3.5'; cut spheres show a flat cap; may be given several times. */
    clip?: string | string[] | null;
    /** Keep only what lies between two planes that face the camera: shares of the depth, from 0 at the front of the spheres to 1 at their back; or a thickness in world units, around the focus or the middle, as in focus ligand slab 12. */
    slab?: number[] | number | string | null;
    /** Camera, size and planes of another picture: a scene file, or what `roundel info json` printed for it. */
    same_view?: string | number | null;
    /** Position of the eye. */
    eye?: number[] | string | null;
    /** Point at the centre of the picture. */
    target?: number[] | string | null;
    /** Direction that points up in the picture. */
    up?: number[] | string | null;
    /** Vertical field of view. */
    fov?: number | null;
    /** Use parallel rays; ortho=false uses perspective. */
    ortho?: boolean | null;
    /** Use parallel rays, with this height of the picture in world units. */
    ortho_height?: number | null;
    /** Column of x coordinates (tables). */
    x?: string | number | null;
    /** Column of y coordinates (tables). */
    y?: string | number | null;
    /** Column of z coordinates, which makes spheres of rows; with x and y (tables). */
    z?: string | number | null;
    /** Column that sets the areas of circles, or their radii if it is named r or radius (tables). */
    r?: string | number | null;
    /** How numbers are spread along x: linear, log or sqrt [default: linear]. */
    x_scale?: "linear" | "sqrt" | "log" | null;
    /** The same along y. */
    y_scale?: "linear" | "sqrt" | "log" | null;
    /** Numbers or dates that the x axis shows at least, such as 0,60; others may be outside of the picture [default: all but a few far off]. */
    x_range?: number[] | string | null;
    /** The same along y. */
    y_range?: number[] | string | null;
    /** The same as color_by. */
    color?: string | number | null;
    /** Colour by element, chain, residue, index or a column, or in one colour such as #1f77b4. */
    color_by?: string | number | null;
    /** Separate colours for categories: okabe-ito, which is the default for chains, distinct, the default for others, with 64 colours, tab10, set2 and more; of elements jmol, which is the default, or soft, which is paler. */
    palette?: string | number | null;
    /** Category that takes the next colour of the palette, so that several pictures agree; may be given several times, as in categories oak categories ash. Others follow; numbers keep the colours of their places. */
    categories?: string | string[] | null;
    /** Ramp of colours for numbers: viridis, which is the default, cividis, turbo, coolwarm, batlow and all others of Matplotlib and F. Crameri; with _r at the end of its name it is reversed. */
    colormap?: string | number | null;
    /** Numbers at the ends of the ramp, dates such as 2024-01-01,2024-06-30, or percentiles such as p2,p98; 100,20 reverses the ramp [default: all numbers but outliers]. */
    color_range?: number[] | string | null;
    /** Number in the middle of the ramp, such as 0 of charges; the default ramp is coolwarm then. Numbers as far below as above are equally strong in colour; the legend shows the part of the ramp that has numbers, or that between color_range A,B. */
    color_center?: number | null;
    /** How numbers are spread over the ramp: linear, sqrt or log; or equalize, which colours the pixels of density by the rank of their numbers, so that each colour has as many [default: linear; of density log where numbers spread widely]. */
    color_scale?: "linear" | "sqrt" | "log" | "equalize" | null;
    /** Compute a column from others, as in 'speed = sqrt(vx^2 + vy^2)', for colours, radii, selections and later formulas; may be given several times. Ready-made are speed, force, distance (from the middle), coordination (neighbours in the first shell), depth (below the surface) and frame (its number); 'd = distance to resname HEM', 'n = coordination within 3.5' and 'u = displacement since 0' are formulas, too. */
    compute?: string | string[] | null;
    /** Radius of each shape: a number, a column, or vdw for the van der Waals radii of atoms; radius 'type 2' 0.8 is that of a selection, and may be given several times. */
    radius?: string | number | null;
    /** Spread the numbers of the column that r or radius names over radii from the least to the greatest, so that areas in the picture follow them: pixels of circles, world units of spheres; 12,2 gives the least number the greatest radius, and with 0,12 areas are in proportion to the numbers. */
    radius_range?: number[] | string | null;
    /** The same as radius of a selection. */
    radius_of?: [string, string | number] | [string, string | number][] | null;
    /** Build this biological assembly (PDB files). */
    assembly?: number | null;
    /** Draw this frame or model of several, counted from 0; -1 is the last (atoms). */
    frame?: number | null;
    /** Average positions over so many frames around the one that is drawn; periodic boxes are respected (trajectories). */
    smooth?: number | null;
    /** Names, elements and residues of the atoms of a trajectory: a PSF, a PRMTOP, or any file of molecules with the same atoms. */
    topology?: string | number | null;
    /** Columns of LAMMPS data that does not name its atom style. */
    atom_style?: "atomic" | "charge" | "molecular" | "bond" | "angle" | "full" | "sphere" | "ellipsoid" | "dipole" | "body" | "dpd" | "peri" | "template" | "electron" | null;
    /** Decimal mark of the numbers in a table of text: , reads 1234,5 and 1.234,5 [default: .]. */
    decimal?: "." | "," | null;
    /** Text that stands for no value in a table of text, beside NA, nan, null and empty fields; may be given several times. */
    missing?: string | string[] | null;
    /** Move what lies outside of the periodic box into it. */
    wrap?: boolean | null;
    /** Join molecules that the boundary of the periodic box breaks: by their bonds, or else by residue. */
    whole?: boolean | null;
    /** Move particles by their image flags ix, iy and iz, so that none jumps from frame to frame. */
    unwrap?: boolean | null;
    /** Move these rows to the middle of the periodic box, and everything else, molecule by molecule, around them. */
    center?: string | number | null;
    /** Draw copies of the periodic box: this many along its edges a, b and c. */
    replicate?: number[] | string | null;
    /** Fill the cell of a crystal by its space group, or draw the atoms that are listed (CIF of small molecules) [default: cell]. */
    symmetry?: "cell" | "off" | null;
    /** Where bonds come from: auto (the file, the dictionary of residues, and distances where these say nothing), file, distance or none [default: auto]. */
    bonds?: "auto" | "file" | "distance" | "none" | null;
    /** Radius of sticks, in world units [default: 0.14 of balls and sticks, 0.2 of sticks]. */
    bond_radius?: number | null;
    /** Radius of balls, in radii of their atoms [default: 0.25]. */
    ball_scale?: number | null;
    /** Dashed lines with distances between rows of two selections that are at most 4 apart, as in contacts ligand protein, and more than three bonds from each other; another distance may follow, as in contacts ligand protein 3.5, or hbonds for hydrogen bonds; may be given several times. */
    contacts?: [string, string | number] | [string, string | number][] | null;
    /** Dashed lines with distances along the hydrogen bonds between all drawn atoms, by a rule for donor, hydrogen and acceptor [default rule: baker-hubbard]; without hydrogens N and O within 3.5 Å. */
    hbonds?: "baker-hubbard" | "wernet-nilsson" | null;
    /** Draw the thermal ellipsoids of atoms at this probability, such as 0.5 (PDB files with ANISOU, mmCIF with anisotropic displacements). */
    ellipsoids?: number | null;
    /** Draw dark rings around opaque ellipsoids in their principal planes, as ORTEP does. */
    ellipsoid_rings?: boolean | null;
    /** Columns of vectors, which are drawn as arrows from the surfaces of particles, as in vectors vx,vy,vz, or what their names begin with, as in vectors forces; legend says how long they are. */
    vectors?: string | number | null;
    /** Length of arrows, in world units per unit of the vectors [default: the longest is six radii long, of all frames of a film]. */
    vector_scale?: number | null;
    /** Colour of arrows: particle, length (viridis, from no length to the longest, or that of 'length 2.5') or a colour [default: particle]. */
    vector_color?: string | number | null;
    /** Radius of the shafts of arrows, in world units; heads are two times as thick [default: 0.15 of the particles' median]. */
    vector_radius?: number | null;
    /** Draw only these rows, as in 'chain A and not water', 'ligand', 'element C N', 'resid 10:20', 'abs(z - 12) < 2', 'index 0:99', 'byres (within 5 of resname HEM)', 'backbone', 'helix', 'first 100'; a value that is a word of the language is quoted: "state CA 'OR' WA". */
    only?: string | number | null;
    /** Leave out these rows. Water beside proteins, nucleic acids and lipids is left out, too, unless there is an only or this selection is about water; hide none draws everything. */
    hide?: string | number | null;
    /** Column with an opacity from 0 to 1 for each sphere or circle. */
    opacity_by?: string | number | null;
    /** Draw what falls into each pixel, instead of circles, or of spheres as the camera sees them: the number of rows (count), the sum or the mean of a column, or the mass of circles and spheres, spread over their exact areas (mass, mass COLUMN); colormap, color_range and color_scale say how, the legend what; -o FILE.npy writes the numbers. */
    density?: string | number | null;
    /** Side of the squares whose rows density count, sum and mean take together, in pixels [default: 1; more where rows are few, which a note says]. */
    density_bin?: number | null;
    /** Outline circles in this colour (tables in the plane). */
    stroke?: string | null;
    /** Width of the outlines of circles [default: 1]. */
    stroke_width?: number | null;
    /** Order in which circles are drawn: random, by seed, so that none of several groups hides the others; a column, its greatest numbers on top; or -COLUMN, its least on top [default: that of the file]. */
    draw_order?: string | number | null;
    /** Read the file in this format, whatever its name and content. */
    format?: string | number | null;
    /** Text above the picture. */
    title?: string | number | null;
    /** State the time, the number or the step of the frame above the picture (trajectories). */
    stamp?: "time" | "frame" | "step" | null;
    /** Meaning of the colours, of radii and opacities by a column, and of the length of arrows, to the right of the picture, below or inside; legend=counts also counts the shapes of each category, as does legend=below,counts. */
    legend?: boolean | "on" | "off" | "counts" | "right" | "below" | "inside" | "right,counts" | "below,counts" | "inside,counts" | null;
    /** Name above the colours of the legend, in place of that of the column, such as 'B factor (Å²)'. */
    legend_title?: string | number | null;
    /** Unit of the coloured numbers, which stands behind their name, such as 'kcal/mol'. */
    legend_unit?: string | number | null;
    /** Order of categories in the legend: file, name or count [default: file]. */
    legend_order?: "file" | "name" | "count" | null;
    /** Category of the file, or one of categories, that the legend lists whether something in the picture has it or not; may be given several times. */
    legend_categories?: string | string[] | null;
    /** Call an entry of the legend so, as in legend_name A 'Gαs'; may be given several times. */
    legend_name?: [string, string | number] | [string, string | number][] | null;
    /** Width of the whole figure, the legend included: 85mm, 8.5cm, 3.3in or 1000px; lengths on paper take dpi, or 300. */
    figure_width?: string | number | null;
    /** Bar of a known length below the picture, which has parallel rays then; scale_bar=20 is 20 units of the data long; maps of degrees have a bar in km each way. */
    scale_bar?: boolean | number | "on" | "off" | null;
    /** Draw several files, frames of one, or sides of view side by side: panels with one camera (files that lie far apart: one direction and scale; sides: one scale), one range of colours and one legend, as in grid 2x3; width and height are those of all panels, without the legend. */
    grid?: string | number | null;
    /** Title of a panel of grid, in place of the name of its file, frame or side: once for all panels, or for one after the other; {name}, {view}, {frame}, {time} and {step} stand for what it shows, as in 't = {time}'; may be given several times. */
    panel_title?: string | string[] | null;
    /** Column of a table in the plane whose categories are the panels of grid, with the same axes, sizes and colours, and one legend, as in grid 3x2 panel_by species. */
    panel_by?: string | number | null;
    /** A stereo pair: the pictures of both eyes, the left eye's at the left, from directions this far apart, as in stereo 6; stereo=-6 for crossed eyes. */
    stereo?: number | null;
    /** Text beside these rows, with their columns in braces, as in label ligand '{resname} {resid}' or label 'name CA and resid 113' 'Asp{resid}'; once for each residue where all columns are those of residues; a leader line where it stands apart; beside circles those of the largest first, as many as fit; may be given several times. */
    label?: [string, string | number] | [string, string | number][] | null;
    /** Axes around a picture of a table in the plane: ticks, numbers, names and a grid, which are drawn unless the columns are coordinates, such as x and y, or longitude and latitude, of which they are degrees; axes=false leaves them out. Of spheres the axes of the world, below the picture. */
    axes?: boolean | null;
    /** Name of the x axis, such as 'mass (kg)' [default: that of the column]. */
    x_label?: string | number | null;
    /** Name of the y axis [default: that of the column]. */
    y_label?: string | number | null;
    /** Edges of the periodic box, which are drawn unless they are those of a macromolecule's crystal; cell=false leaves them out (spheres only). */
    cell?: boolean | null;
    /** Cut the picture to what it shows; trim=10 leaves 10 pixels around. */
    trim?: boolean | number | null;
    /** So many times as many pixels each way; type and lines grow, too. */
    scale?: number | null;
    /** Resolution in dots per inch, which is written into the file: type of 10 points has its size on paper [default: 96 for a longer side of up to 640 pixels, more in proportion to it]. */
    dpi?: number | null;
    /** Size of text in points, 1/72 inch at the resolution of dpi; lines and gaps keep their proportion to it [default: 10]. */
    font_size?: number | null;
    /** Colour of text and lines [default: black, and white on dark backgrounds]. */
    ink?: string | null;
    // end of options
    /** Colours of selections: `[selection, color]`, or a list of these; `"color=label"` names it in the legend. */
    highlight?: [string, string] | [string, string][] | null;
    /** Opacity of all spheres, or `[selection, opacity]`, or a list of these. */
    opacity?: number | [string, number] | [string | null, number][] | null;
    /** Style of all atoms, or `[selection, style]`, or a list of these. */
    style?: Style | [string, Style] | [string | null, Style][] | null;
    /** Highlights of all spheres, or `[selection, strength]`, or a list of these: a strength from 0 to 1, or `"strength,roughness"`. */
    gloss?: number | string | [string, number | string] | [string | null, number | string][] | null;
}

export type Style = "spacefill" | "ball-and-stick" | "sticks" | "points" | "trace" | "none";
