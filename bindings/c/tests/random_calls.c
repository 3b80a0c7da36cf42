/* Random calls on four threads that share their handles: random_calls SEED SECONDS CALLS ends after some seconds or calls a thread.
 *
 * Pointers are null, handles closed, numbers NaN, texts nonsense. No call may end with a fault, write beyond a buffer, or fail without
 * a sentence; the address sanitizer watches the rest. */
#include <farsight.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { THREADS = 4, SLOTS = 6, MARGIN = 8, KINDS = 17 };
/* What handles are of. */
enum Type { MAP, SIGHT, GROUND, SCENE, TYPES };

static _Atomic uint64_t slots[TYPES][SLOTS];
static atomic_ulong ok[KINDS], refused[KINDS];
static time_t end;
static unsigned long most_calls;

static _Thread_local uint64_t state;

static uint64_t next(void) { /* xorshift64 */
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state;
}
static unsigned below(unsigned n) { return (unsigned)(next() >> 33) % n; }
static int often(void) { return below(16) != 0; }

static double number(void) {
    static const double odd[] = {0, -0.0, 1, -1, 1e-30, 1e30, 0.5, 2, 10000, 1e308};
    switch (below(8)) {
    case 0: return NAN;
    case 1: return below(2) ? INFINITY : -INFINITY;
    case 2: return odd[below(10)];
    default: return below(1000) / 10.0;
    }
}

static const char *text(const char *const *good, unsigned count) {
    static const char *const bad[] = {NULL, "", "{", "\xff\xfe", "\"", "count\n", "{\"radius\": 1e99}", "../../etc", "%s%n"};
    return often() ? good[below(count)] : bad[below(9)];
}

static int32_t column(void) {
    static const int32_t odd[] = {-1, INT32_MIN, INT32_MAX, 1 << 30, 4096};
    return often() ? (int32_t)below(40) : odd[below(5)];
}
static FarsightCell cell(void) { return (FarsightCell){column(), column()}; }

/* Mostly one of the type; else one of another, a closed one or none at all. */
static FarsightHandle handle(enum Type type) {
    if (!often()) return next();
    return atomic_load(&slots[below(4) ? type : below(TYPES)][below(SLOTS)]);
}
static void keep(enum Type type, FarsightHandle opened) { farsight_close(atomic_exchange(&slots[type][below(SLOTS)], opened)); }

/* A buffer between margins that nobody may write. */
static float *buffer(size_t length) {
    float *whole = malloc((length + 2 * MARGIN) * sizeof *whole);
    for (size_t i = 0; i < length + 2 * MARGIN; i++) whole[i] = -77;
    return whole + MARGIN;
}
static void release(float *values, size_t length) {
    for (size_t i = 0; i < MARGIN; i++)
        if (values[-1 - (int)i] != -77 || values[length + i] != -77) {
            fprintf(stderr, "a call wrote beyond its buffer\n");
            abort();
        }
    free(values - MARGIN);
}

static void tell(int kind, FarsightStatus status) {
    const char *words = farsight_last_error();
    if (status == FARSIGHT_STATUS_PANIC || status > FARSIGHT_STATUS_PANIC || (status == FARSIGHT_STATUS_OK) != (*words == 0)) {
        fprintf(stderr, "call %d ended with %d: \"%s\"\n", kind, (int)status, words);
        abort();
    }
    atomic_fetch_add(status == FARSIGHT_STATUS_OK ? &ok[kind] : &refused[kind], 1);
}

static FarsightStatus new_land(FarsightHandle *opened, int is_map) {
    int32_t width = column(), height = column();
    size_t length = width > 0 && height > 0 && width < 4097 && height < 4097 ? (size_t)width * height : 1;
    float *values = malloc(length * sizeof *values); /* not longer, so that the sanitizer sees what is read beyond it */
    int is_odd = !often();
    for (size_t i = 0; i < length; i++) values[i] = is_odd ? (float)number() : is_map ? below(4) / 3.f * (below(3) == 0) : below(900) / 9.f;
    double side = often() ? 1 + below(60) : number();
    FarsightStatus status = is_map ? farsight_map_new(often() ? values : NULL, width, height, often() ? opened : NULL)
                                   : farsight_ground_new(often() ? values : NULL, width, height, side, often() ? side : number(), often() ? opened : NULL);
    free(values);
    return status;
}

static void call(int kind) {
    static const char *const settings[] = {"{}", "{\"radius\": 9}", "{\"radius\": 20, \"method\": \"beam\"}", "{\"radius\": 5, \"method\": \"exact\"}",
                                           "{\"radius\": 12, \"decay\": {\"kind\": \"smooth\"}}", "{\"method\": \"shadowcast\"}"};
    static const char *const methods[] = {"exact", "two-parent", NULL, "beam"};
    static const char *const layers[] = {"count", "union", "nearest", "best", "sum", "tips", "visible-height", "vertical-angle"};
    static const char *const fields[] = {"visibility", "perceived", "light", "opacity", "elevation", "biome", "slope-margin"};
    static const char *const presets[] = {"fog", "alpine", NULL, "viewshed", "temperate"};
    static const char *const changes[] = {"{\"world.width\": 48, \"world.height\": 48}", "{\"world.width\": 64, \"world.height\": 48, \"world.seed\": 5}",
                                          "{\"world.width\": 48, \"world.height\": 48, \"sight.radius\": 30}"};
    FarsightHandle opened = 0;
    enum Type type = kind < 3 ? MAP : kind < 5 ? GROUND : kind == 5 ? SIGHT : SCENE; /* of what is opened */
    size_t length = often() ? 1600 : below(1600);
    float *out = NULL;
    FarsightStatus status = FARSIGHT_STATUS_OK;
    double eye_m = often() ? below(300) / 10.0 : number(), range = often() ? INFINITY : number();
    FarsightEye eye = {eye_m, often() ? 0 : number(), range, often() ? 0.87 : number()};
    FarsightCell cells[5] = {cell(), cell(), cell(), cell(), cell()};
    size_t count = below(6);
    switch (kind) {
    case 0: status = farsight_close(handle(below(TYPES))); break;
    case 1: case 2: status = new_land(&opened, 1); break;
    case 3: case 4: status = new_land(&opened, 0); break;
    case 5: status = farsight_sight_new(text(settings, 6), often() ? &opened : NULL); break;
    case 6: status = farsight_map_set(handle(MAP), cell(), often() ? 0.5f : (float)number()); break;
    case 7:
        out = buffer(length);
        status = farsight_field_of_view(handle(SIGHT), handle(MAP), cell(), often() ? out : NULL, length);
        break;
    case 8:
        length *= 5;
        out = buffer(length);
        status = farsight_fields_of_view(handle(SIGHT), handle(MAP), often() ? cells : NULL, count, often() ? out : NULL, length);
        break;
    case 9: out = buffer(length = 1); status = farsight_line_of_sight(handle(SIGHT), handle(MAP), cell(), cell(), often() ? out : NULL); break;
    case 10:
        out = buffer(length);
        status = farsight_viewshed(handle(GROUND), cell(), often() ? &eye : NULL, text(methods, 4), often() ? out : NULL, length);
        break;
    case 11:
        out = buffer(length);
        status = farsight_cumulative(handle(GROUND), often() ? cells : NULL, count, often() ? &eye : NULL, text(layers, 8), text(methods, 4), often() ? out : NULL, length);
        break;
    case 12: {
        unsigned azimuths = often() ? below(50) : 100000;
        FarsightSkylinePoint *points = malloc((azimuths + 1) * sizeof *points);
        status = farsight_skyline(handle(GROUND), cell(), often() ? &eye : NULL, azimuths, often() ? points : NULL);
        free(points);
        break;
    }
    case 13:
        if (below(4)) return;
        status = farsight_scene_new(text(presets, 5), text(changes, 3), below(2) ? 0 : handle(GROUND), often() ? NULL : cells, often() ? &opened : NULL);
        break;
    case 14: {
        FarsightSceneInfo info;
        FarsightHandle scene = handle(SCENE);
        status = below(2) ? farsight_scene_place(scene, cell()) : farsight_scene_info(scene, often() ? &info : NULL);
        break;
    }
    case 15:
        length = often() ? 4096 : length;
        out = buffer(length);
        status = farsight_scene_layer(handle(SCENE), text(fields, 7), often() ? out : NULL, length);
        break;
    case 16: {
        size_t capacity = often() ? 1 << 16 : below(300), needed = 0;
        char *words = often() ? malloc(capacity + 1) : NULL;
        status = farsight_scene_explain(handle(SCENE), cell(), words, capacity, often() ? &needed : NULL);
        if (status == FARSIGHT_STATUS_OK && words && strlen(words) + 1 != needed) abort();
        free(words);
        break;
    }
    }
    tell(kind, status);
    if (out) release(out, length);
    if (opened) keep(type, opened);
}

static void *run(void *seed) {
    state = (uint64_t)(size_t)seed * 0x9E3779B97F4A7C15u + 1;
    for (unsigned long i = 0; i < most_calls && time(NULL) < end; i++) call((int)below(KINDS));
    return NULL;
}

int main(int count, char **arguments) {
    if (count != 4) {
        fprintf(stderr, "usage: random_calls SEED SECONDS CALLS\n");
        return 2;
    }
    size_t seed = strtoul(arguments[1], NULL, 10);
    end = time(NULL) + atol(arguments[2]);
    most_calls = strtoul(arguments[3], NULL, 10);
    pthread_t threads[THREADS];
    for (size_t i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, run, (void *)(seed * THREADS + i + 1));
    for (size_t i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < TYPES * SLOTS; i++) farsight_close(slots[i / SLOTS][i % SLOTS]);
    int is_idle = 0;
    printf("call: done, refused\n");
    for (int i = 0; i < KINDS; i++) {
        printf("%2d: %lu, %lu\n", i, ok[i], refused[i]);
        is_idle |= ok[i] == 0 || refused[i] == 0;
    }
    return is_idle; /* every function is called with success and without */
}
