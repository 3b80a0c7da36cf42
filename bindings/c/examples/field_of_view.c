/* A room with a pillar, seen from its west, as text:
 *
 *     cc field_of_view.c $(pkg-config --cflags --libs farsight) -o field_of_view
 */
#include <farsight.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 24, HEIGHT = 9 };

static void check(FarsightStatus status) {
    if (status != FARSIGHT_STATUS_OK) {
        fprintf(stderr, "%s\n", farsight_last_error());
        exit(1);
    }
}

int main(void) {
    float opacity[WIDTH * HEIGHT] = {0}, seen[WIDTH * HEIGHT];
    for (int y = 4; y < 7; y++) opacity[y * WIDTH + 9] = 1; /* a wall */
    opacity[2 * WIDTH + 15] = 0.5f;                         /* a hedge */

    FarsightHandle map, sight;
    check(farsight_map_new(opacity, WIDTH, HEIGHT, &map));
    check(farsight_sight_new("{\"radius\": 40, \"method\": \"beam\"}", &sight));
    FarsightCell viewer = {2, 4}, target = {22, 1};
    check(farsight_field_of_view(sight, map, viewer, seen, WIDTH * HEIGHT));
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            int is_viewer = x == viewer.x && y == viewer.y;
            putchar(is_viewer ? '@' : " .:-=+*#%"[(int)(seen[y * WIDTH + x] * 8 + 0.5f)]);
        }
        putchar('\n');
    }
    float visibility;
    check(farsight_line_of_sight(sight, map, viewer, target, &visibility));
    printf("(%d, %d) is seen at %.0f %%.\n", target.x, target.y, 100 * visibility);
    check(farsight_close(sight));
    check(farsight_close(map));

    /* An error has a sentence. */
    if (farsight_field_of_view(sight, map, viewer, seen, WIDTH * HEIGHT) == FARSIGHT_STATUS_NO_HANDLE)
        printf("Closed handles are refused: %s.\n", farsight_last_error());
    return 0;
}
