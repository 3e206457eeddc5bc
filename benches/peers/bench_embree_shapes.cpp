// Bonds and ellipsoids by Embree, as `cargo bench --bench spheres -- B1` and E1 draw them: spheres as sphere points, bonds as round
// linear curves, ellipsoids as user geometry. With `smooth`, 16 occlusion rays a pixel take the place of occlusion without rays.
//
//   g++ -O3 -march=native -std=c++17 bench_embree_shapes.cpp -o bench_embree_shapes -ldl -lpthread
//   ./bench_embree_shapes libembree4.so.4 B1 16 2 5 [smooth] [OUT.ppm]
//
// Arguments: the library (of Embree 4, of the package embreex from PyPI for example), the scene, rays of a packet (8 or 16),
// threads, runs. Prints the least and the median milliseconds of the build and of a frame, and the hits.
#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <thread>
#include <vector>

// The parts of Embree 4's C interface that are used here.
extern "C" {
typedef struct RTCDeviceTy* RTCDevice;
typedef struct RTCSceneTy* RTCScene;
typedef struct RTCGeometryTy* RTCGeometry;
}
constexpr unsigned INVALID = ~0u;
constexpr int ROUND_LINEAR_CURVE = 16, SPHERE_POINTS = 50, USER_GEOMETRY = 120;
constexpr int INDEX_BUFFER = 0, VERTEX_BUFFER = 1, UINT = 0x5001, FLOAT4 = 0x9004, COHERENT = 1 << 16, QUALITY_MEDIUM = 1;

template <int N> struct alignas(64) Rays {
    float ox[N], oy[N], oz[N], tnear[N], dx[N], dy[N], dz[N], time[N], tfar[N];
    unsigned mask[N], id[N], flags[N];
};

template <int N> struct alignas(64) RayHits {
    Rays<N> ray;
    float nx[N], ny[N], nz[N], u[N], v[N];
    unsigned prim[N], geom[N], inst[N];
    char room[512];
};

struct Arguments {
    int flags;
    unsigned features = ~0u;
    void* context = nullptr;
    void* filter = nullptr;
    void* intersect = nullptr;
    char room[64] = {};
};

struct Context {
    unsigned instance = INVALID, instance_primitive = INVALID;
};

struct BoundsArguments {
    void* user;
    unsigned primitive, step;
    float* bounds;
};

struct IntersectArguments {
    int* valid;
    void* user;
    unsigned primitive;
    void* context;
    float* rays;
    unsigned count, geometry;
};

struct Embree {
    RTCDevice (*new_device)(const char*);
    int (*device_error)(RTCDevice);
    RTCScene (*new_scene)(RTCDevice);
    RTCGeometry (*new_geometry)(RTCDevice, int);
    void (*share_buffer)(RTCGeometry, int, unsigned, int, const void*, size_t, size_t, size_t);
    void (*set_count)(RTCGeometry, unsigned);
    void (*set_user)(RTCGeometry, void*);
    void (*set_bounds)(RTCGeometry, void (*)(const BoundsArguments*), void*);
    void (*set_intersect)(RTCGeometry, void (*)(const IntersectArguments*));
    void (*set_occluded)(RTCGeometry, void (*)(const IntersectArguments*));
    void (*commit_geometry)(RTCGeometry);
    unsigned (*attach)(RTCScene, RTCGeometry);
    void (*release_geometry)(RTCGeometry);
    void (*set_quality)(RTCScene, int);
    void (*commit_scene)(RTCScene);
    void (*release_scene)(RTCScene);
    void (*intersect8)(const int*, RTCScene, void*, Arguments*);
    void (*intersect16)(const int*, RTCScene, void*, Arguments*);
    void (*occluded8)(const int*, RTCScene, void*, Arguments*);
    void (*occluded16)(const int*, RTCScene, void*, Arguments*);

    explicit Embree(const char* path) {
        void* library = dlopen(path, RTLD_NOW);
        if (!library) { fprintf(stderr, "%s\n", dlerror()); exit(2); }
        auto find = [&](auto& function, const char* name) {
            function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(library, name));
            if (!function) { fprintf(stderr, "no %s\n", name); exit(2); }
        };
        find(new_device, "rtcNewDevice");
        find(device_error, "rtcGetDeviceError");
        find(new_scene, "rtcNewScene");
        find(new_geometry, "rtcNewGeometry");
        find(share_buffer, "rtcSetSharedGeometryBuffer");
        find(set_count, "rtcSetGeometryUserPrimitiveCount");
        find(set_user, "rtcSetGeometryUserData");
        find(set_bounds, "rtcSetGeometryBoundsFunction");
        find(set_intersect, "rtcSetGeometryIntersectFunction");
        find(set_occluded, "rtcSetGeometryOccludedFunction");
        find(commit_geometry, "rtcCommitGeometry");
        find(attach, "rtcAttachGeometry");
        find(release_geometry, "rtcReleaseGeometry");
        find(set_quality, "rtcSetSceneBuildQuality");
        find(commit_scene, "rtcCommitScene");
        find(release_scene, "rtcReleaseScene");
        find(intersect8, "rtcIntersect8");
        find(intersect16, "rtcIntersect16");
        find(occluded8, "rtcOccluded8");
        find(occluded16, "rtcOccluded16");
    }
};

/// An ellipsoid: its centre, and axes divided by radii, which make a unit sphere of it.
struct Ellipsoid {
    float center[3], rows[3][3], reach[3];
};

static void bounds(const BoundsArguments* arguments) {
    const Ellipsoid& of = static_cast<const Ellipsoid*>(arguments->user)[arguments->primitive];
    for (int axis = 0; axis < 3; axis++) {
        arguments->bounds[axis] = of.center[axis] - of.reach[axis];
        arguments->bounds[4 + axis] = of.center[axis] + of.reach[axis];
    }
}

template <bool ANY> static void meet(const IntersectArguments* arguments) {
    const Ellipsoid& of = static_cast<const Ellipsoid*>(arguments->user)[arguments->primitive];
    unsigned n = arguments->count;
    float* rays = arguments->rays;
    for (unsigned k = 0; k < n; k++) {
        if (!arguments->valid[k]) continue;
        float o[3], d[3];
        for (int row = 0; row < 3; row++) {
            o[row] = d[row] = 0;
            for (int axis = 0; axis < 3; axis++) {
                o[row] += of.rows[row][axis] * (rays[axis * n + k] - of.center[axis]);
                d[row] += of.rows[row][axis] * rays[(4 + axis) * n + k];
            }
        }
        float a = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], b = o[0] * d[0] + o[1] * d[1] + o[2] * d[2];
        float rest = 0;
        float foot = -b / a;
        for (int row = 0; row < 3; row++) rest += (o[row] + foot * d[row]) * (o[row] + foot * d[row]);
        if (rest > 1) continue;
        float half = std::sqrt((1 - rest) / a), t = foot - half;
        float& far = rays[8 * n + k];
        if (t < rays[3 * n + k]) t = foot + half;
        if (t < rays[3 * n + k] || t > far) continue;
        if (ANY) {
            far = -std::numeric_limits<float>::infinity();
            continue;
        }
        far = t;
        for (int axis = 0; axis < 3; axis++) {
            float normal = 0;
            for (int row = 0; row < 3; row++) normal += of.rows[row][axis] * (o[row] + t * d[row]);
            rays[(12 + axis) * n + k] = normal;
        }
        reinterpret_cast<unsigned*>(rays)[17 * n + k] = arguments->primitive;
        reinterpret_cast<unsigned*>(rays)[18 * n + k] = arguments->geometry;
    }
}

static uint64_t hash(uint64_t seed, uint64_t i) {
    uint64_t z = (i + 1) * 0x9e3779b97f4a7c15ull + seed;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

static float uniform(uint64_t seed, uint64_t i) { return float(hash(seed, i) >> 40) / float(1 << 24); }

static double now() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

constexpr int WIDTH = 1920, HEIGHT = 1080, TILE = 16, RAYS = 16;

struct Frame {
    const Embree& embree;
    RTCScene scene;
    bool is_smooth;
    std::vector<unsigned char> pixels;
    std::atomic<long long> hits{0};

    template <int N> void draw(int threads) {
        std::atomic<int> next{0};
        hits = 0;
        constexpr int columns = (WIDTH + TILE - 1) / TILE, rows = (HEIGHT + TILE - 1) / TILE;
        auto work = [&] {
            for (int tile; (tile = next.fetch_add(1)) < columns * rows;) draw_tile<N>(tile % columns * TILE, tile / columns * TILE);
        };
        std::vector<std::thread> others;
        for (int i = 1; i < threads; i++) others.emplace_back(work);
        work();
        for (auto& other : others) other.join();
    }

    template <int N> void draw_tile(int left, int top) {
        constexpr int across = 4, down = N / across;
        const double slope = std::tan(20.0 * M_PI / 180.0) * 2 / HEIGHT;
        auto unit = [](double* v) { double l = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); for (int k = 0; k < 3; k++) v[k] /= l; };
        double eye[3] = {0.8, 0.75, 1.9}, forward[3] = {-0.3, -0.25, -1.4};
        unit(forward);
        double right[3] = {-forward[2], 0, forward[0]};
        unit(right);
        double up[3] = {right[1] * forward[2] - right[2] * forward[1], right[2] * forward[0] - right[0] * forward[2],
                        right[0] * forward[1] - right[1] * forward[0]};
        long long count = 0;
        Context context;
        Arguments near{COHERENT}, far{0};
        near.context = far.context = &context;
        for (int y = top; y < std::min(top + TILE, HEIGHT); y += down) {
            for (int x = left; x < left + TILE; x += across) {
                RayHits<N> rays;
                alignas(64) int valid[N];
                for (int k = 0; k < N; k++) {
                    int column = x + k % across, row = y + k / across;
                    valid[k] = row < HEIGHT ? -1 : 0;
                    double u = (column + 0.5 - WIDTH / 2.0) * slope, v = (HEIGHT / 2.0 - row - 0.5) * slope;
                    double d[3];
                    for (int axis = 0; axis < 3; axis++) d[axis] = forward[axis] + u * right[axis] + v * up[axis];
                    unit(d);
                    set(rays.ray, k, {float(eye[0]), float(eye[1]), float(eye[2])}, {float(d[0]), float(d[1]), float(d[2])});
                    rays.prim[k] = rays.geom[k] = rays.inst[k] = INVALID;
                }
                if constexpr (N == 8) embree.intersect8(valid, scene, &rays, &near);
                if constexpr (N == 16) embree.intersect16(valid, scene, &rays, &near);
                for (int k = 0; k < N; k++) {
                    if (!valid[k] || rays.geom[k] == INVALID) continue;
                    count++;
                    float n[3] = {rays.nx[k], rays.ny[k], rays.nz[k]}, d[3] = {rays.ray.dx[k], rays.ray.dy[k], rays.ray.dz[k]};
                    float length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
                    float cosine = (n[0] * d[0] + n[1] * d[1] + n[2] * d[2]) / length;
                    for (int axis = 0; axis < 3; axis++) n[axis] /= cosine > 0 ? -length : length;
                    float light = std::fabs(cosine);
                    if (is_smooth) light = open<N>(rays.ray, k, n, far, (y + k / across) * WIDTH + x + k % across);
                    size_t place = 3 * (size_t(y + k / across) * WIDTH + x + k % across);
                    for (int channel = 0; channel < 3; channel++) pixels[place + channel] = static_cast<unsigned char>(255 * light);
                }
            }
        }
        hits += count;
    }

    struct Vector {
        float x, y, z;
    };

    template <int N> static void set(Rays<N>& rays, int k, Vector o, Vector d) {
        rays.ox[k] = o.x, rays.oy[k] = o.y, rays.oz[k] = o.z;
        rays.dx[k] = d.x, rays.dy[k] = d.y, rays.dz[k] = d.z;
        rays.tnear[k] = rays.time[k] = 0;
        rays.tfar[k] = std::numeric_limits<float>::infinity();
        rays.mask[k] = ~0u, rays.id[k] = k, rays.flags[k] = 0;
    }

    /// The share of 16 rays that meet nothing.
    template <int N> float open(const Rays<N>& from, int k, const float* n, Arguments& arguments, unsigned pixel) {
        alignas(64) int all[N];
        struct { Rays<N> rays; char room[512]; } any;
        float t = from.tfar[k];
        Vector o{from.ox[k] + t * from.dx[k] + 1e-5f * n[0], from.oy[k] + t * from.dy[k] + 1e-5f * n[1],
                 from.oz[k] + t * from.dz[k] + 1e-5f * n[2]};
        float sign = std::copysign(1.0f, n[2]), a = -1 / (sign + n[2]), b = n[0] * n[1] * a;
        float s[3] = {1 + sign * n[0] * n[0] * a, sign * b, -sign * n[0]}, r[3] = {b, sign + n[1] * n[1] * a, -n[1]};
        int open = 0;
        for (int first = 0; first < RAYS; first += N) {
            for (int j = 0; j < N; j++) {
                float u = (first + j + uniform(7, 32ull * pixel + 2 * (first + j))) / RAYS;
                float angle = 6.2831853f * uniform(7, 32ull * pixel + 2 * (first + j) + 1);
                float across = std::sqrt(u), x = across * std::cos(angle), y = across * std::sin(angle), z = std::sqrt(1 - u);
                set(any.rays, j, o, {x * s[0] + y * r[0] + z * n[0], x * s[1] + y * r[1] + z * n[1], x * s[2] + y * r[2] + z * n[2]});
                all[j] = -1;
            }
            if constexpr (N == 8) embree.occluded8(all, scene, &any, &arguments);
            if constexpr (N == 16) embree.occluded16(all, scene, &any, &arguments);
            for (int j = 0; j < N; j++) open += any.rays.tfar[j] > 0;
        }
        return open / float(RAYS);
    }
};

int main(int count, char** arguments) {
    if (count < 6) {
        fprintf(stderr, "usage: %s LIBRARY B1|E1 8|16 THREADS RUNS [smooth] [OUT.ppm]\n", arguments[0]);
        return 2;
    }
    std::string name = arguments[2];
    int packet = atoi(arguments[3]), threads = atoi(arguments[4]), runs = std::max(1, atoi(arguments[5]));
    bool is_smooth = count > 6 && std::string(arguments[6]) == "smooth";
    constexpr size_t SHAPES = 1000000;
    std::vector<float> points(4 * SHAPES + 16), curves(8 * SHAPES + 16);
    std::vector<unsigned> indices(SHAPES + 16);
    std::vector<Ellipsoid> ellipsoids(SHAPES);
    for (size_t i = 0; i < SHAPES; i++) {
        for (int axis = 0; axis < 3; axis++) {
            float center = uniform(1, 3 * i + axis);
            points[4 * i + axis] = curves[8 * i + axis] = ellipsoids[i].center[axis] = center;
            curves[8 * i + 4 + axis] = center + (uniform(11, 3 * i + axis) - 0.5f) * 0.02f;
        }
        points[4 * i + 3] = 0.003f;
        curves[8 * i + 3] = curves[8 * i + 7] = 0.001f;
        indices[i] = unsigned(2 * i);
        float q[4], length = 0;
        for (int part = 0; part < 4; part++) q[part] = uniform(12, 4 * i + part) - 0.5f, length += q[part] * q[part];
        for (float& part : q) part /= std::sqrt(length);
        float x = q[0], y = q[1], z = q[2], w = q[3];
        float axes[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
                            {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
                            {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}};
        float radii[3] = {0.0042f, 0.003f, 0.0021f};
        for (int axis = 0; axis < 3; axis++) {
            float reach = 0;
            for (int row = 0; row < 3; row++) {
                ellipsoids[i].rows[row][axis] = axes[row][axis] / radii[row];
                reach += axes[row][axis] * radii[row] * axes[row][axis] * radii[row];
            }
            ellipsoids[i].reach[axis] = std::sqrt(reach);
        }
    }
    Embree embree(arguments[1]);
    RTCDevice device = embree.new_device(("threads=" + std::to_string(threads)).c_str());
    std::vector<double> builds, frames;
    Frame frame{embree, nullptr, is_smooth, std::vector<unsigned char>(3 * WIDTH * HEIGHT)};
    for (int run = 0; run < runs; run++) {
        double start = now();
        RTCScene scene = embree.new_scene(device);
        embree.set_quality(scene, QUALITY_MEDIUM);
        auto add = [&](int type, auto fill) {
            RTCGeometry geometry = embree.new_geometry(device, type);
            fill(geometry);
            embree.commit_geometry(geometry);
            embree.attach(scene, geometry);
            embree.release_geometry(geometry);
        };
        if (name == "B1") {
            add(SPHERE_POINTS, [&](RTCGeometry of) { embree.share_buffer(of, VERTEX_BUFFER, 0, FLOAT4, points.data(), 0, 16, SHAPES); });
            add(ROUND_LINEAR_CURVE, [&](RTCGeometry of) {
                embree.share_buffer(of, VERTEX_BUFFER, 0, FLOAT4, curves.data(), 0, 16, 2 * SHAPES);
                embree.share_buffer(of, INDEX_BUFFER, 0, UINT, indices.data(), 0, 4, SHAPES);
            });
        } else {
            add(USER_GEOMETRY, [&](RTCGeometry of) {
                embree.set_count(of, SHAPES);
                embree.set_user(of, ellipsoids.data());
                embree.set_bounds(of, bounds, nullptr);
                embree.set_intersect(of, meet<false>);
                embree.set_occluded(of, meet<true>);
            });
        }
        embree.commit_scene(scene);
        double built = now();
        frame.scene = scene;
        if (packet == 8) frame.draw<8>(threads);
        else frame.draw<16>(threads);
        builds.push_back(built - start);
        frames.push_back(now() - built);
        embree.release_scene(scene);
    }
    if (int error = embree.device_error(device)) { fprintf(stderr, "Embree's error %d\n", error); return 2; }
    std::sort(builds.begin(), builds.end());
    std::sort(frames.begin(), frames.end());
    printf("%s%s, packets of %d, %d threads: build %.0f ms (median %.0f), frame %.0f ms (median %.0f), %lld hits\n", name.c_str(),
           is_smooth ? " smooth" : "", packet, threads, builds[0], builds[builds.size() / 2], frames[0], frames[frames.size() / 2],
           frame.hits.load());
    const char* out = count > 6 + is_smooth ? arguments[6 + is_smooth] : nullptr;
    if (out) {
        FILE* file = fopen(out, "wb");
        fprintf(file, "P6\n%d %d\n255\n", WIDTH, HEIGHT);
        fwrite(frame.pixels.data(), 1, frame.pixels.size(), file);
        fclose(file);
    }
}
