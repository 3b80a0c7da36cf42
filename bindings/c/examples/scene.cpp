// A foggy world and a viewshed, with handles that close themselves:
//
//     c++ -std=c++17 scene.cpp $(pkg-config --cflags --libs farsight) -o scene
#include <farsight.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

void check(FarsightStatus status) {
    if (status != FARSIGHT_STATUS_OK) throw std::runtime_error(farsight_last_error());
}

class Handle {
public:
    Handle() = default;
    Handle(const Handle &) = delete;
    Handle &operator=(const Handle &) = delete;
    ~Handle() { farsight_close(handle_); }
    FarsightHandle *out() { return &handle_; }
    operator FarsightHandle() const { return handle_; }

private:
    FarsightHandle handle_ = 0;
};

} // namespace

int main() try {
    Handle scene;
    check(farsight_scene_new("fog", R"({"world.seed": 7, "world.width": 128, "world.height": 128})", 0, nullptr, scene.out()));
    FarsightSceneInfo info;
    check(farsight_scene_info(scene, &info));
    std::vector<float> layer(std::size_t(info.width) * info.height);
    check(farsight_scene_layer(scene, "visibility", layer.data(), layer.size()));
    std::cout << "cells in sight in the fog: " << std::count_if(layer.begin(), layer.end(), [](float v) { return v > 0; }) << '\n';
    check(farsight_scene_layer(scene, "humidity", layer.data(), layer.size()));

    FarsightCell target{info.viewer.x + 9, info.viewer.y};
    std::size_t length = 0;
    check(farsight_scene_explain(scene, target, nullptr, 0, &length));
    std::string reason(length, '\0');
    check(farsight_scene_explain(scene, target, reason.data(), reason.size(), &length));
    std::cout << reason.c_str() << '\n';

    const int side = 101;
    std::vector<float> heights(side * side), seen(side * side);
    std::fill_n(heights.begin() + 20 * side, side, 300.f); // a ridge in the north
    Handle ground;
    check(farsight_ground_new(heights.data(), side, side, 30, 30, ground.out()));
    FarsightEye eye{1.7, 0, INFINITY, 0.87};
    check(farsight_viewshed(ground, {50, 50}, &eye, nullptr, seen.data(), seen.size()));
    std::cout << "cells in sight of the ridge: " << std::accumulate(seen.begin(), seen.end(), 0.f) << '\n';
    std::vector<FarsightSkylinePoint> skyline(4);
    check(farsight_skyline(ground, {50, 50}, &eye, 4, skyline.data()));
    std::cout << "the ridge is " << std::round(skyline[0].elevation_deg) << " degrees high\n";
    return 0;
} catch (const std::exception &error) {
    std::cerr << error.what() << '\n';
    return 1;
}
