/* farsight: fields of view, viewsheds and scenes. docs/guide/c.md has the guide.
 *
 * Every function that returns a FarsightStatus may be called on any thread. A map is width times height values, row by row from the
 * upper left; a cell has its column x and its row y, both from 0. Text is UTF-8 and ends with a zero. Buffers do not overlap. */

#ifndef FARSIGHT_H
#define FARSIGHT_H

#include <stddef.h>
#include <stdint.h>

/**
 * The status of a call. farsight_last_error() returns the message.
 */
typedef enum FarsightStatus {
  /**
   * Everything is written.
   */
  FARSIGHT_STATUS_OK = 0,
  /**
   * A required pointer is null.
   */
  FARSIGHT_STATUS_NULL_POINTER = 1,
  /**
   * A handle was closed, was never opened, or is of another kind.
   */
  FARSIGHT_STATUS_NO_HANDLE = 2,
  /**
   * A number, a name or a text is invalid.
   */
  FARSIGHT_STATUS_INVALID = 3,
  /**
   * A cell is off the map.
   */
  FARSIGHT_STATUS_OFF_MAP = 4,
  /**
   * The result does not fit into memory.
   */
  FARSIGHT_STATUS_MEMORY = 5,
  /**
   * A buffer is too small; the error gives the required size.
   */
  FARSIGHT_STATUS_SMALL_BUFFER = 6,
  /**
   * A fault in farsight. The handles of the call can only be closed.
   */
  FARSIGHT_STATUS_PANIC = 7,
} FarsightStatus;

/**
 * A map, a sight, a ground or a scene; 0 is none. A handle is used by any number of threads, and closed by one of them: the calls that
 * run end as they would. The number of a closed handle is never used again.
 */
typedef uint64_t FarsightHandle;

/**
 * A cell.
 */
typedef struct FarsightCell {
  /**
   * The column.
   */
  int32_t x;
  /**
   * The row.
   */
  int32_t y;
} FarsightCell;

/**
 * The size of a scene and its viewer.
 */
typedef struct FarsightSceneInfo {
  /**
   * Columns.
   */
  int32_t width;
  /**
   * Rows.
   */
  int32_t height;
  /**
   * The cell of the viewer.
   */
  struct FarsightCell viewer;
} FarsightSceneInfo;

/**
 * The eye of an observer and its target, in metres.
 */
typedef struct FarsightEye {
  /**
   * The height of the eye over its ground: 1.7 is a person.
   */
  double eye_m;
  /**
   * The height of the target over its ground.
   */
  double target_m;
  /**
   * The range. INFINITY is the whole map.
   */
  double max_distance_m;
  /**
   * The curvature of the Earth that remains with refraction: 0.85714 is usual for light. 0 is a flat Earth.
   */
  double curvature;
} FarsightEye;

/**
 * The skyline at an azimuth; NaN and -1 where the direction has no data.
 */
typedef struct FarsightSkylinePoint {
  /**
   * The angle over the level of the eye, in degrees.
   */
  double elevation_deg;
  /**
   * The distance from the viewer, in metres.
   */
  double distance_m;
  /**
   * The height over the sea, in metres.
   */
  double height_m;
  /**
   * The cell.
   */
  struct FarsightCell cell;
} FarsightSkylinePoint;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Returns the version, such as "0.1.0".
 */
const char *farsight_version(void);

/**
 * Returns the error message of the last call of this thread, or an empty text. The text is valid until the next call of this thread.
 */
const char *farsight_last_error(void);

/**
 * Closes a handle. 0 is accepted.
 */
enum FarsightStatus farsight_close(FarsightHandle handle);

/**
 * Creates a scene: a land and the view of a viewer.
 *
 * `preset` is the name of a shipped preset ("fog", "alpine") or a file; null is that of the land. `settings` changes keys of it, as a JSON
 * object: {"world.seed": 7}; null changes none. `land` is a map or a ground, which is copied; 0 is a world from the seed. `viewer` is the
 * cell of the viewer; null is a cell with a varied view.
 *
 * # Safety
 * `preset` and `settings` are null or texts, `viewer` is null or leads to a cell, `scene` leads to a handle.
 */
enum FarsightStatus farsight_scene_new(const char *preset,
                                       const char *settings,
                                       FarsightHandle land,
                                       const struct FarsightCell *viewer,
                                       FarsightHandle *scene);

/**
 * Writes the size of a scene and the cell of its viewer.
 *
 * # Safety
 * `info` leads to a FarsightSceneInfo.
 */
enum FarsightStatus farsight_scene_info(FarsightHandle scene, struct FarsightSceneInfo *info);

/**
 * Moves the viewer of a scene to a cell.
 */
enum FarsightStatus farsight_scene_place(FarsightHandle scene, struct FarsightCell viewer);

/**
 * Writes a layer of a scene, a value for each cell: "visibility" (the view), "perceived", "light", "opacity", "elevation", "humidity",
 * "vegetation", "temperature", "biome", "min-visible-height" or "slope-margin".
 *
 * # Safety
 * `layer` is a text, `out` leads to `out_length` values.
 */
enum FarsightStatus farsight_scene_layer(FarsightHandle scene,
                                         const char *layer,
                                         float *out,
                                         size_t out_length);

/**
 * Writes the explanation of a cell as a JSON object with a "sentence", the "perceived" visibility, and the "losses" by cause. `length`
 * is set to the number of bytes with the zero at the end; with a null `buffer` nothing else is written.
 *
 * # Safety
 * `buffer` is null or leads to `capacity` bytes, `length` leads to a number.
 */
enum FarsightStatus farsight_scene_explain(FarsightHandle scene,
                                           struct FarsightCell target,
                                           char *buffer,
                                           size_t capacity,
                                           size_t *length);

/**
 * Copies opacities from 0 (clear) to 1 (a wall) into a new map; a cell that is NaN does not exist.
 *
 * # Safety
 * `opacity` leads to `width` times `height` values, `map` to a handle.
 */
enum FarsightStatus farsight_map_new(const float *opacity,
                                     int32_t width,
                                     int32_t height,
                                     FarsightHandle *map);

/**
 * Changes the opacity of a cell of a map: a door that opens, a wall that falls.
 */
enum FarsightStatus farsight_map_set(FarsightHandle map, struct FarsightCell cell, float opacity);

/**
 * Prepares fields of view. `settings` are the keys of [sight] of a preset as a JSON object: {"radius": 64, "method": "beam"}; {} is the
 * default. A sight keeps the buffers of its last view, so that the next allocates nothing; threads with separate sights do not wait.
 *
 * # Safety
 * `settings` is a text, `sight` leads to a handle.
 */
enum FarsightStatus farsight_sight_new(const char *settings,
                                       FarsightHandle *sight);

/**
 * Writes the visibility of each cell of a map, from 0 to 1; 0 out of range. `out` has a value for each cell of the map.
 *
 * # Safety
 * `out` leads to `out_length` values.
 */
enum FarsightStatus farsight_field_of_view(FarsightHandle sight,
                                           FarsightHandle map,
                                           struct FarsightCell viewer,
                                           float *out,
                                           size_t out_length);

/**
 * Writes the views of `count` viewers on all processors. `out` has for each the square with 2 · radius + 1 cells per side around it,
 * which is 0 off the map.
 *
 * # Safety
 * `viewers` leads to `count` cells, `out` to `out_length` values.
 */
enum FarsightStatus farsight_fields_of_view(FarsightHandle sight,
                                            FarsightHandle map,
                                            const struct FarsightCell *viewers,
                                            size_t count,
                                            float *out,
                                            size_t out_length);

/**
 * Writes the visibility of one cell: the value of the field of view at it, in less time.
 *
 * # Safety
 * `visibility` leads to a value.
 */
enum FarsightStatus farsight_line_of_sight(FarsightHandle sight,
                                           FarsightHandle map,
                                           struct FarsightCell viewer,
                                           struct FarsightCell target,
                                           float *visibility);

/**
 * Copies heights in metres into a new ground; NaN is nodata. The sides of a cell are in metres. The first row is the most northern.
 *
 * # Safety
 * `heights` leads to `width` times `height` values, `ground` to a handle.
 */
enum FarsightStatus farsight_ground_new(const float *heights,
                                        int32_t width,
                                        int32_t height,
                                        double cell_width_m,
                                        double cell_height_m,
                                        FarsightHandle *ground);

/**
 * Writes the visibility of the cells of a ground: 1, or 0. `method` is "exact" or "two-parent"; null is "exact".
 *
 * # Safety
 * `eye` leads to an eye, `method` is null or a text, `out` leads to `out_length` values.
 */
enum FarsightStatus farsight_viewshed(FarsightHandle ground,
                                      struct FarsightCell viewer,
                                      const struct FarsightEye *eye,
                                      const char *method,
                                      float *out,
                                      size_t out_length);

/**
 * Writes a layer of the joint view of `count` observers, such as "count", "union", "nearest" or "best"; NaN for nodata. `method` is as for
 * farsight_viewshed.
 *
 * # Safety
 * `observers` leads to `count` cells, `eye` to an eye; `layer` is a text, `method` null or a text; `out` leads to `out_length` values.
 */
enum FarsightStatus farsight_cumulative(FarsightHandle ground,
                                        const struct FarsightCell *observers,
                                        size_t count,
                                        const struct FarsightEye *eye,
                                        const char *layer,
                                        const char *method,
                                        float *out,
                                        size_t out_length);

/**
 * Writes the skyline around a viewer: `azimuths` points, evenly all around, from the top of the map over its right.
 *
 * # Safety
 * `eye` leads to an eye, `out` to `azimuths` points.
 */
enum FarsightStatus farsight_skyline(FarsightHandle ground,
                                     struct FarsightCell viewer,
                                     const struct FarsightEye *eye,
                                     uint32_t azimuths,
                                     struct FarsightSkylinePoint *out);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* FARSIGHT_H */
