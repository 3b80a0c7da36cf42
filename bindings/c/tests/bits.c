/* Writes the results of every function for one map and one ground to standard output, as the bytes of their floats. The test computes
 * them with the library, too. */
#include <farsight.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 70, HEIGHT = 50, CELLS = WIDTH * HEIGHT, RADIUS = 20, SIDE = 2 * RADIUS + 1, AZIMUTHS = 36 };

static void check(FarsightStatus status) {
    if (status != FARSIGHT_STATUS_OK) {
        fprintf(stderr, "%s\n", farsight_last_error());
        exit(1);
    }
}

static void put(const float *values, size_t count) { fwrite(values, sizeof *values, count, stdout); }

int main(void) {
    static float opacity[CELLS], heights[CELLS], cells[CELLS], views[2 * SIDE * SIDE];
    for (unsigned i = 0; i < CELLS; i++) {
        unsigned number = i * 2654435761u;
        opacity[i] = number >> 29 == 0 ? (float)(number >> 27) / 4 : 0;
        heights[i] = (float)(number >> 22) * 0.125f;
    }
    FarsightHandle map, sight, ground, scene;
    FarsightCell viewers[] = {{30, 20}, {65, 3}};
    FarsightEye eye = {10, 2, 900, 0.87};
    check(farsight_map_new(opacity, WIDTH, HEIGHT, &map));
    check(farsight_map_set(map, viewers[0], 0));
    check(farsight_sight_new("{\"radius\": 20, \"decay\": {\"kind\": \"smooth\"}}", &sight));
    check(farsight_ground_new(heights, WIDTH, HEIGHT, 30, 25, &ground));
    check(farsight_scene_new(NULL, "{\"optics.eye_height_m\": 12}", ground, &viewers[0], &scene));

    check(farsight_field_of_view(sight, map, viewers[0], cells, CELLS));
    put(cells, CELLS);
    check(farsight_fields_of_view(sight, map, viewers, 2, views, 2 * SIDE * SIDE));
    put(views, 2 * SIDE * SIDE);
    check(farsight_line_of_sight(sight, map, viewers[0], (FarsightCell){41, 25}, cells));
    put(cells, 1);
    check(farsight_viewshed(ground, viewers[0], &eye, NULL, cells, CELLS));
    put(cells, CELLS);
    check(farsight_cumulative(ground, viewers, 2, &eye, "nearest", "two-parent", cells, CELLS));
    put(cells, CELLS);
    FarsightSkylinePoint skyline[AZIMUTHS];
    check(farsight_skyline(ground, viewers[0], &eye, AZIMUTHS, skyline));
    for (int i = 0; i < AZIMUTHS; i++) {
        float point[] = {(float)skyline[i].elevation_deg, (float)skyline[i].distance_m, (float)skyline[i].cell.x, (float)skyline[i].cell.y};
        put(point, 4);
    }
    check(farsight_scene_place(scene, viewers[1]));
    check(farsight_scene_layer(scene, "perceived", cells, CELLS));
    put(cells, CELLS);
    check(farsight_close(scene));
    check(farsight_close(ground));
    check(farsight_close(sight));
    check(farsight_close(map));
    return 0;
}
