// Translucent spheres by Embree, as `cargo bench --bench spheres -- T1` and T2 draw them: a filter function collects all hits of a
// ray, which are sorted and composed front to back in linear light until less than 1/1024 passes.
//
//   g++ -O3 -march=native -std=c++17 bench_embree_translucent.cpp -o bench_embree_translucent -ldl -lpthread
//   ./bench_embree_translucent libembree4.so.4 T1 16 2 5 [OUT.ppm]
//
// Arguments: the library (of Embree 4, of the package embreex from PyPI for example), the scene, rays of a packet (1, 8 or 16),
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
constexpr int SPHERE_POINTS = 50, VERTEX_BUFFER = 1, FLOAT4 = 0x9004, COHERENT = 1 << 16, QUALITY_MEDIUM = 1;

template <int N> struct alignas(N == 1 ? 16 : 4 * N) RayHits {
    float ox[N], oy[N], oz[N], tnear[N], dx[N], dy[N], dz[N], time[N], tfar[N];
    unsigned mask[N], id[N], flags[N];
    float nx[N], ny[N], nz[N], u[N], v[N];
    unsigned prim[N], geom[N], inst[N];
    char room[512];
};

struct FilterArguments {
    int* valid;
    void* user;
    void* context;
    void* ray;
    void* hit;
    unsigned count;
};

struct Context {
    unsigned instance = INVALID, instance_primitive = INVALID;
};

struct IntersectArguments {
    int flags = COHERENT;
    unsigned features = ~0u;
    Context* context = nullptr;
    void* filter = nullptr;
    void* intersect = nullptr;
    char room[64] = {};
};

struct Embree {
    RTCDevice (*new_device)(const char*);
    int (*device_error)(RTCDevice);
    RTCScene (*new_scene)(RTCDevice);
    RTCGeometry (*new_geometry)(RTCDevice, int);
    void (*share_buffer)(RTCGeometry, int, unsigned, int, const void*, size_t, size_t, size_t);
    void (*set_filter)(RTCGeometry, void (*)(const FilterArguments*));
    void (*commit_geometry)(RTCGeometry);
    unsigned (*attach)(RTCScene, RTCGeometry);
    void (*release_geometry)(RTCGeometry);
    void (*set_quality)(RTCScene, int);
    void (*commit_scene)(RTCScene);
    void (*release_scene)(RTCScene);
    void (*intersect1)(RTCScene, void*, IntersectArguments*);
    void (*intersect8)(const int*, RTCScene, void*, IntersectArguments*);
    void (*intersect16)(const int*, RTCScene, void*, IntersectArguments*);

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
        find(set_filter, "rtcSetGeometryIntersectFilterFunction");
        find(commit_geometry, "rtcCommitGeometry");
        find(attach, "rtcAttachGeometry");
        find(release_geometry, "rtcReleaseGeometry");
        find(set_quality, "rtcSetSceneBuildQuality");
        find(commit_scene, "rtcCommitScene");
        find(release_scene, "rtcReleaseScene");
        find(intersect1, "rtcIntersect1");
        find(intersect8, "rtcIntersect8");
        find(intersect16, "rtcIntersect16");
    }
};

struct Crossing {
    float distance, cosine;
    unsigned sphere;
};

/// The hits of a packet's rays.
static thread_local std::vector<Crossing> found[16];

/// Notes each hit and rejects it, so that the ray goes on.
template <int N> static void collect(const FilterArguments* arguments) {
    auto number = [&](void* rows, int row, unsigned lane) {
        return reinterpret_cast<float*>(rows)[row * arguments->count + lane];
    };
    for (unsigned lane = 0; lane < arguments->count; lane++) {
        if (!arguments->valid[lane]) continue;
        arguments->valid[lane] = 0;
        auto ray = [&](int row) { return number(arguments->ray, row, lane); };
        auto hit = [&](int row) { return number(arguments->hit, row, lane); };
        unsigned id, sphere;
        float id_bits = ray(10), sphere_bits = hit(5);
        memcpy(&id, &id_bits, 4);
        memcpy(&sphere, &sphere_bits, 4);
        float dot = ray(4) * hit(0) + ray(5) * hit(1) + ray(6) * hit(2);
        float length = std::sqrt(hit(0) * hit(0) + hit(1) * hit(1) + hit(2) * hit(2));
        found[id].push_back({ray(8), std::fabs(dot) / length, sphere});
    }
}

static uint64_t hash(uint64_t seed, uint64_t i) {
    uint64_t z = (i + 1) * 0x9e3779b97f4a7c15ull + seed;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

struct Color {
    float red, green, blue;
};

static float linear(unsigned char encoded) {
    float v = encoded / 255.0f;
    return v <= 0.04045f ? v / 12.92f : std::pow((v + 0.055f) / 1.055f, 2.4f);
}

static unsigned char encode(float v) {
    v = v <= 0.0031308f ? 12.92f * v : 1.055f * std::pow(v, 1 / 2.4f) - 0.055f;
    return static_cast<unsigned char>(std::min(255.0f, 255.0f * v + 0.5f));
}

static double now() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

constexpr int WIDTH = 1920, HEIGHT = 1080, TILE = 16;
constexpr float ALPHA = 77 / 255.0f;

struct Frame {
    const Embree& embree;
    RTCScene scene;
    const std::vector<Color>& colors;
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
        constexpr int across = N == 1 ? 1 : 4, down = N / across;
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
        IntersectArguments arguments;
        arguments.context = &context;
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
                    rays.ox[k] = float(eye[0]), rays.oy[k] = float(eye[1]), rays.oz[k] = float(eye[2]);
                    rays.dx[k] = float(d[0]), rays.dy[k] = float(d[1]), rays.dz[k] = float(d[2]);
                    rays.tnear[k] = rays.time[k] = 0;
                    rays.tfar[k] = std::numeric_limits<float>::infinity();
                    rays.mask[k] = ~0u, rays.id[k] = k, rays.flags[k] = 0;
                    rays.prim[k] = rays.geom[k] = rays.inst[k] = INVALID;
                    found[k].clear();
                }
                if constexpr (N == 1) embree.intersect1(scene, &rays, &arguments);
                if constexpr (N == 8) embree.intersect8(valid, scene, &rays, &arguments);
                if constexpr (N == 16) embree.intersect16(valid, scene, &rays, &arguments);
                for (int k = 0; k < N; k++) {
                    if (!valid[k]) continue;
                    count += found[k].size();
                    put(x + k % across, y + k / across, found[k]);
                }
            }
        }
        hits += count;
    }

    void put(int x, int y, std::vector<Crossing>& crossings) {
        std::sort(crossings.begin(), crossings.end(), [](const Crossing& a, const Crossing& b) {
            return a.distance != b.distance ? a.distance < b.distance : a.sphere < b.sphere;
        });
        float pass = 1, sum[3] = {};
        for (const Crossing& crossing : crossings) {
            const Color& color = colors[crossing.sphere];
            float light = pass * ALPHA * crossing.cosine;
            sum[0] += light * color.red, sum[1] += light * color.green, sum[2] += light * color.blue;
            pass *= 1 - ALPHA;
            if (pass < 1 / 1024.0f) break;
        }
        for (int k = 0; k < 3; k++) pixels[3 * (size_t(y) * WIDTH + x) + k] = encode(sum[k]);
    }
};

int main(int count, char** arguments) {
    if (count < 6) {
        fprintf(stderr, "usage: %s LIBRARY T1|T2 1|8|16 THREADS RUNS [OUT.ppm]\n", arguments[0]);
        return 2;
    }
    std::string name = arguments[2];
    int packet = atoi(arguments[3]), threads = atoi(arguments[4]), runs = std::max(1, atoi(arguments[5]));
    bool is_first = name == "T1";
    size_t spheres = is_first ? 1000000 : 10000000;
    uint64_t seed = is_first ? 1 : 4;
    std::vector<float> points(4 * spheres + 16);
    std::vector<Color> colors(spheres);
    for (size_t i = 0; i < spheres; i++) {
        for (int axis = 0; axis < 3; axis++) points[4 * i + axis] = float(hash(seed, 3 * i + axis) >> 40) / float(1 << 24);
        points[4 * i + 3] = is_first ? 0.003f : 0.0015f;
        uint64_t bits = hash(seed + 77, i);
        auto channel = [&](int shift) { return linear(static_cast<unsigned char>(64 + (bits >> shift & 127))); };
        colors[i] = {channel(0), channel(8), channel(16)};
    }
    Embree embree(arguments[1]);
    RTCDevice device = embree.new_device(("threads=" + std::to_string(threads)).c_str());
    std::vector<double> builds, frames;
    Frame frame{embree, nullptr, colors, std::vector<unsigned char>(3 * WIDTH * HEIGHT)};
    for (int run = 0; run < runs; run++) {
        double start = now();
        RTCScene scene = embree.new_scene(device);
        embree.set_quality(scene, QUALITY_MEDIUM);
        RTCGeometry geometry = embree.new_geometry(device, SPHERE_POINTS);
        embree.share_buffer(geometry, VERTEX_BUFFER, 0, FLOAT4, points.data(), 0, 16, spheres);
        embree.set_filter(geometry, packet == 1 ? collect<1> : packet == 8 ? collect<8> : collect<16>);
        embree.commit_geometry(geometry);
        embree.attach(scene, geometry);
        embree.release_geometry(geometry);
        embree.commit_scene(scene);
        double built = now();
        frame.scene = scene;
        if (packet == 1) frame.draw<1>(threads);
        else if (packet == 8) frame.draw<8>(threads);
        else frame.draw<16>(threads);
        builds.push_back(built - start);
        frames.push_back(now() - built);
        embree.release_scene(scene);
    }
    if (int error = embree.device_error(device)) { fprintf(stderr, "Embree's error %d\n", error); return 2; }
    std::sort(builds.begin(), builds.end());
    std::sort(frames.begin(), frames.end());
    printf("%s, packets of %d, %d threads: build %.0f ms (median %.0f), frame %.0f ms (median %.0f), %lld hits\n", name.c_str(), packet,
           threads, builds[0], builds[builds.size() / 2], frames[0], frames[frames.size() / 2], frame.hits.load());
    if (count > 6) {
        FILE* file = fopen(arguments[6], "wb");
        fprintf(file, "P6\n%d %d\n255\n", WIDTH, HEIGHT);
        fwrite(frame.pixels.data(), 1, frame.pixels.size(), file);
        fclose(file);
    }
}
