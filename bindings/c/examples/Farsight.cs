// The functions of farsight for C#, and a view with them. Put libfarsight_c.so, farsight_c.dll or libfarsight_c.dylib next to the program.
using System;
using System.Runtime.InteropServices;

public enum FarsightStatus { Ok, NullPointer, NoHandle, Invalid, OffMap, Memory, SmallBuffer, Panic }

[StructLayout(LayoutKind.Sequential)]
public struct FarsightCell { public int X, Y; }

[StructLayout(LayoutKind.Sequential)]
public struct FarsightEye { public double EyeM, TargetM, MaxDistanceM, Curvature; }

[StructLayout(LayoutKind.Sequential)]
public struct FarsightSkylinePoint { public double ElevationDeg, DistanceM, HeightM; public FarsightCell Cell; }

[StructLayout(LayoutKind.Sequential)]
public struct FarsightSceneInfo { public int Width, Height; public FarsightCell Viewer; }

public static class Farsight
{
    const string Library = "farsight_c";

    [DllImport(Library)] static extern IntPtr farsight_version();
    [DllImport(Library)] static extern IntPtr farsight_last_error();
    [DllImport(Library)] public static extern FarsightStatus farsight_close(ulong handle);
    [DllImport(Library)] public static extern FarsightStatus farsight_map_new(float[] opacity, int width, int height, out ulong map);
    [DllImport(Library)] public static extern FarsightStatus farsight_map_set(ulong map, FarsightCell cell, float opacity);
    [DllImport(Library)] public static extern FarsightStatus farsight_sight_new([MarshalAs(UnmanagedType.LPUTF8Str)] string settings, out ulong sight);
    [DllImport(Library)] public static extern FarsightStatus farsight_field_of_view(ulong sight, ulong map, FarsightCell viewer, [Out] float[] seen, UIntPtr length);
    [DllImport(Library)] public static extern FarsightStatus farsight_fields_of_view(ulong sight, ulong map, FarsightCell[] viewers, UIntPtr count, [Out] float[] seen, UIntPtr length);
    [DllImport(Library)] public static extern FarsightStatus farsight_line_of_sight(ulong sight, ulong map, FarsightCell viewer, FarsightCell target, out float visibility);
    [DllImport(Library)] public static extern FarsightStatus farsight_ground_new(float[] heights, int width, int height, double cellWidthM, double cellHeightM, out ulong ground);
    [DllImport(Library)] public static extern FarsightStatus farsight_viewshed(ulong ground, FarsightCell viewer, ref FarsightEye eye, [MarshalAs(UnmanagedType.LPUTF8Str)] string method, [Out] float[] seen, UIntPtr length);
    [DllImport(Library)] public static extern FarsightStatus farsight_cumulative(ulong ground, FarsightCell[] observers, UIntPtr count, ref FarsightEye eye, [MarshalAs(UnmanagedType.LPUTF8Str)] string layer, [MarshalAs(UnmanagedType.LPUTF8Str)] string method, [Out] float[] values, UIntPtr length);
    [DllImport(Library)] public static extern FarsightStatus farsight_skyline(ulong ground, FarsightCell viewer, ref FarsightEye eye, uint azimuths, [Out] FarsightSkylinePoint[] points);
    [DllImport(Library)] public static extern FarsightStatus farsight_scene_new([MarshalAs(UnmanagedType.LPUTF8Str)] string preset, [MarshalAs(UnmanagedType.LPUTF8Str)] string settings, ulong land, IntPtr viewer, out ulong scene);
    [DllImport(Library)] public static extern FarsightStatus farsight_scene_info(ulong scene, out FarsightSceneInfo info);
    [DllImport(Library)] public static extern FarsightStatus farsight_scene_place(ulong scene, FarsightCell viewer);
    [DllImport(Library)] public static extern FarsightStatus farsight_scene_layer(ulong scene, [MarshalAs(UnmanagedType.LPUTF8Str)] string layer, [Out] float[] values, UIntPtr length);
    [DllImport(Library)] public static extern FarsightStatus farsight_scene_explain(ulong scene, FarsightCell target, [Out] byte[] buffer, UIntPtr capacity, out UIntPtr length);

    public static string Version => Marshal.PtrToStringUTF8(farsight_version());

    public static void Check(FarsightStatus status)
    {
        if (status != FarsightStatus.Ok) throw new InvalidOperationException(Marshal.PtrToStringUTF8(farsight_last_error()));
    }

    public static void Main()
    {
        const int width = 24, height = 9;
        var opacity = new float[width * height];
        for (var y = 3; y < 6; y++) opacity[y * width + 9] = 1; // a wall
        Check(farsight_map_new(opacity, width, height, out var map));
        Check(farsight_sight_new("{\"radius\": 40}", out var sight));
        var seen = new float[opacity.Length];
        Check(farsight_field_of_view(sight, map, new FarsightCell { X = 2, Y = 4 }, seen, (UIntPtr)seen.Length));
        Console.WriteLine($"farsight {Version}: (12, 4) is seen at {100 * seen[4 * width + 12]:0} %.");
        Check(farsight_close(sight));
        Check(farsight_close(map));
    }
}
