//! The definitions of EPSG codes for PROJ, with shifts of datums that are those of the EPSG dataset.
//!
//! The page has no table of definitions: it knows Mercator, plate carrée and degrees only.

pub(super) use table::{definition_of_code, is_geographic_code};

#[cfg(target_arch = "wasm32")]
mod table {
    pub(crate) fn definition_of_code(code: u16) -> Option<String> {
        let definition = match code {
            3857 => "+proj=merc +a=6378137 +b=6378137",
            3395 => "+proj=merc",
            4087 | 32662 => "+proj=eqc",
            _ => return None,
        };
        Some(definition.to_owned())
    }

    /// Returns `true` if a code is that of longitude and latitude.
    pub(crate) fn is_geographic_code(code: u16) -> bool {
        code == 4326
    }
}

/// Returns the definition of an EPSG code as well-known text.
#[cfg(feature = "wkt")]
pub(super) fn wkt_of_code(code: u16) -> Option<&'static str> {
    crs_definitions::from_code(code).map(|definition| definition.wkt)
}

/// Without the feature `wkt` no text is known.
#[cfg(not(feature = "wkt"))]
pub(super) fn wkt_of_code(_code: u16) -> Option<&'static str> {
    None
}

#[cfg(not(target_arch = "wasm32"))]
mod table {
    /// Codes whose definition in the table is not that of the dataset: degrees that are grads, axes to the south and west, and
    /// spheres in place of ellipsoids.
    const WRONG: [u16; 14] = [2065, 3973, 3974, 3975, 4055, 4807, 4810, 4811, 4816, 4819, 4821, 4901, 4902, 5513];

    /// Returns the definition of an EPSG code.
    pub(crate) fn definition_of_code(code: u16) -> Option<String> {
        let definition = crs_definitions::from_code(code).filter(|_| !WRONG.contains(&code))?.proj4;
        let contains = |ranges: &[(u16, u16)]| ranges.iter().any(|(first, last)| (*first..=*last).contains(&code));
        if contains(&UNKNOWN_SHIFTS) {
            return Some(without_shift(definition));
        }
        let shift = SHIFTS.iter().find(|(_, codes)| contains(codes));
        Some(match shift {
            Some((shift, _)) => format!("{} +towgs84={shift}", without_shift(definition)),
            None => definition.to_owned(),
        })
    }

    /// Returns `true` if a code is that of longitude and latitude.
    pub(crate) fn is_geographic_code(code: u16) -> bool {
        crs_definitions::from_code(code).is_some_and(|definition| definition.proj4.starts_with("+proj=longlat"))
    }

    /// Returns a definition with the ellipsoid of its datum only.
    fn without_shift(definition: &str) -> String {
        let words = definition.split_whitespace().filter_map(|word| match word {
            "+datum=nzgd49" => Some("+ellps=intl"),
            "+datum=potsdam" | "+datum=hermannskogel" => Some("+ellps=bessel"),
            _ if word.starts_with("+towgs84=") || word.starts_with("+nadgrids=") => None,
            word => Some(word),
        });
        words.collect::<Vec<_>>().join(" ")
    }

    /// The shifts from the datum of systems to WGS 84 that are not those of the table, with the first and the last code of
    /// each group: metres, and seconds of arc in the convention of position vectors.
    ///
    /// # References
    /// EPSG Geodetic Parameter Dataset, version 11.022: the operation without a grid that PROJ 9.5 takes.
    #[rustfmt::skip]
    const SHIFTS: [(&str, &[(u16, u16)]); 62] = [
        ("-153,153,307", &[(2006, 2006), (4606, 4606)]),
        ("23.772,17.49,17.859,-0.3132,-1.85274,1.67299,-5.4262", &[(2039, 2039), (4141, 4141), (6989, 6991)]),
        ("-110.33,-97.73,-119.85,0.3423,1.1634,0.2715,0.063", &[(2058, 2061), (4154, 4154)]),
        ("15.75,164.93,126.18", &[(2081, 2081), (4160, 4160)]),
        ("-233.43,6.65,173.64", &[(2082, 2082), (4161, 4161)]),
        ("18.38,192.45,96.82,0.056,-0.142,-0.2,-0.0013", &[(2083, 2084)]),
        ("-114.619985,475.96297,675.018329,1.162,-2.347,-1.592,6.342", &[(2096, 2098), (4162, 4162), (5167, 5168), (5173, 5178)]),
        ("-171.16,17.29,325.21,0,0,0.814,-0.38", &[(2137, 2137)]),
        ("-84.1,-101.8,-129.7,0,0,0.468,1.05", &[(2206, 2212), (2319, 2325), (23038, 23038)]),
        ("163.511,127.533,-159.789,0,0,0.814,-0.6", &[(2216, 2217), (4194, 4194)]),
        ("-197.432793,139.385202,-192.801934,5.266,1.238,-2.381,-5.109", &[(2317, 2317), (24718, 24719), (24819, 24820)]),
        ("15.53,-113.82,-41.38,0,0,0.814,-0.38", &[(2416, 2417), (2437, 2438), (21420, 21421), (21460, 21461), (21480, 21481)]),
        ("-73.472,-51.66,-112.482,0.953,4.6,-2.368,0.586", &[(2736, 2737), (4127, 4127)]),
        ("-112,-110.3,-140.2", &[(3066, 3066)]),
        ("410.793,54.542,80.501,-2.5596,-2.3517,-0.6594,17.3218", &[(3302, 3302), (4689, 4689)]),
        ("347.175,1077.618,2623.677,33.9058,-70.6776,9.4013,186.0647", &[(3303, 3303), (4688, 4688)]),
        ("218.769,150.75,176.75,3.5231,2.0037,1.288,10.9817", &[(3305, 3305), (4691, 4691)]),
        ("2.329,-147.042,-92.08,-0.309,0.325,0.497,5.69", &[(3844, 3844), (4317, 4317), (31700, 31700)]),
        ("577.84843,165.45019,390.43652,4.93131,-0.96052,-13.05072,7.86546", &[(3909, 3910), (6316, 6316), (8679, 8679)]),
        ("551.7,162.9,467.9,6.04,1.96,-11.38,-4.82", &[(3911, 3912)]),
        ("572.213,85.334,461.94,4.9732,1.529,5.2484,3.5378", &[(4156, 4156), (4818, 4818), (5221, 5221), (5514, 5514)]),
        ("-145,-97,-292", &[(4209, 4209), (20935, 20935)]),
        ("-134,229,-29", &[(4224, 4224)]),
        ("-345,3,223", &[(4232, 4232), (23239, 23240)]),
        ("293,836,318,0.5,1.6,-2.8,2.1", &[(4240, 4240), (24047, 24048)]),
        ("-270,188,-388", &[(4248, 4248), (24880, 24881)]),
        ("-2,374,172", &[(4271, 4271), (27120, 27120)]),
        ("59.47,-5.04,187.44,0.47,-0.1,1.024,-4.5993", &[(4272, 4272), (27200, 27212), (27214, 27292)]),
        ("-198.383,-240.517,-107.909", &[(4297, 4297), (8441, 8441), (29700, 29700), (29702, 29739)]),
        ("-267.407,-47.068,446.357,-0.179423,5.577661,-1.27762,1.204866", &[(4307, 4307), (30729, 30732)]),
        ("-124.45,183.74,44.64,-0.4384,0.5446,-0.9706,-2.1365", &[(4309, 4309)]),
        ("-157.4,295.05,-150.19", &[(5337, 5337)]),
        ("16.451772,35.399109,-9.626246,2.351419,-0.061467,6.394209,5.22", &[(5456, 5457)]),
        ("-48,3,-44", &[(5463, 5463)]),
        ("24,-121,-76", &[(5561, 5583), (6381, 6387)]),
        ("584.9636,107.7175,413.8067,1.1155,0.2824,-3.1384,7.9922", &[(5681, 5685), (5830, 5830)]),
        ("521.748,229.489,590.921,4.029,4.488,-15.521,-9.78", &[(6204, 6204)]),
        ("-163.612948,-315.803306,-193.958561,34.079,-76.126,-32.66,6.096", &[(8428, 8428), (8433, 8433)]),
        ("-157.84,308.54,-146.6", &[(20822, 20823)]),
        ("-153.54,302.33,-152.37", &[(20824, 20824)]),
        ("-138,-105,-289", &[(20934, 20934)]),
        ("-161,-73,-317", &[(20936, 20936)]),
        ("-175,-23,-303", &[(21035, 21037)]),
        ("100.783,187.382,-47,9.223830049,-2.4238033,8.308278328,-13.56561", &[(21818, 21818)]),
        ("-90.29,247.559,-21.989,8.696885349,4.188033628,12.80826685,2.181658", &[(21891, 21891), (21896, 21896)]),
        ("221.899,274.136,-397.554,-2.80844591,0.4485085889,2.810172347,-2.199943", &[(21894, 21894), (21899, 21899)]),
        ("-90.365,-101.13,-123.384,0.333,0.077,0.894,1.994", &[(23031, 23032)]),
        ("-89.05,-87.03,-124.56", &[(23036, 23037)]),
        ("-1.977,-13.06,-9.993,0.364,0.254,0.689,-1.037", &[(23893, 23894)]),
        ("282,726,254", &[(24305, 24306), (24375, 24375)]),
        ("-60.31,245.935,31.008,12.324,3.755,-7.37,0.447", &[(24817, 24817)]),
        ("-282,169,-371", &[(24818, 24818)]),
        ("-298,159,-369", &[(24821, 24821)]),
        ("-279,175,-379", &[(24877, 24877), (24891, 24893)]),
        ("-302,272,-360", &[(24879, 24879)]),
        ("-291.87,106.37,-364.52", &[(24882, 24882)]),
        ("-93.6,-83.7,113.8", &[(26331, 26332)]),
        ("-44,6,-36", &[(29168, 29168)]),
        ("-58,0,-44", &[(29187, 29187)]),
        ("-57,1,-41", &[(29188, 29188)]),
        ("-59,-11,-52", &[(29189, 29189)]),
        ("577.326,90.129,463.919,5.137,1.474,5.297,2.4232", &[(31281, 31283), (31288, 31293)]),
    ];

    /// Systems whose area of use has no shift without a grid: the shift of the table is that of another area.
    #[rustfmt::skip]
    const UNKNOWN_SHIFTS: [(u16, u16); 57] = [
        (2042, 2042), (2045, 2045), (2170, 2170), (2401, 2401), (2406, 2411), (2418, 2422),
        (2427, 2432), (2439, 2442), (2492, 2493), (2550, 2550), (2979, 2979), (2983, 2984),
        (3146, 3147), (3176, 3176), (3787, 3787), (3833, 3833), (3837, 3838), (3893, 3893),
        (3986, 3986), (3989, 3989), (4125, 4125), (4233, 4233), (4260, 4260), (4264, 4264),
        (4287, 4287), (4291, 4291), (4294, 4294), (4631, 4631), (4635, 4635), (4645, 4645),
        (4731, 4731), (4805, 4805), (5520, 5520), (5631, 5631), (5670, 5671), (5680, 5680),
        (20248, 20248), (20348, 20348), (20357, 20358), (21416, 21417), (21422, 21423),
        (21456, 21457), (21462, 21463), (21476, 21477), (21482, 21483), (22275, 22275),
        (23946, 23946), (26195, 26195), (26432, 26432), (27037, 27038), (28402, 28403),
        (28462, 28463), (29100, 29100), (29122, 29122), (29181, 29185), (29220, 29220),
        (31265, 31279),
    ];

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn definitions_have_the_shift_of_the_dataset() {
            let ends = |code: u16, shift: &str| definition_of_code(code).unwrap().ends_with(shift);
            assert!(ends(
                31282,
                "+pm=ferro +units=m +no_defs +towgs84=577.326,90.129,463.919,5.137,1.474,5.297,2.4232"
            ));
            assert!(ends(27200, "+towgs84=59.47,-5.04,187.44,0.47,-0.1,1.024,-4.5993"));
            assert!(!definition_of_code(27200).unwrap().contains("nzgd"));
            assert!(!definition_of_code(2984).unwrap().contains("towgs84"));
            assert_eq!(definition_of_code(32632).unwrap(), "+proj=utm +zone=32 +datum=WGS84 +units=m +no_defs");
            assert_eq!(definition_of_code(4807), None);
            assert!(is_geographic_code(4326) && is_geographic_code(4807) && !is_geographic_code(3857));
        }

        #[test]
        fn every_code_has_one_shift_at_most() {
            let groups = SHIFTS.iter().flat_map(|(_, codes)| codes.iter()).chain(&UNKNOWN_SHIFTS);
            let mut groups: Vec<_> = groups.collect();
            groups.sort_unstable();
            assert!(groups.windows(2).all(|pair| pair[0].1 < pair[1].0), "{groups:?}");
        }
    }
}
