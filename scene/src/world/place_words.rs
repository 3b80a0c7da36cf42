//! The words of which names of places are made: syllables, plants and animals, colours, and patterns that join them.

/// The words of a kind of country. Each world draws one that fits its climate, and a part of its syllables.
///
/// A pattern is a name in which `%` and a letter stand for a word:
///
/// | | |
/// |---|---|
/// | `%p` | a name of its own, made of syllables: Aldane |
/// | `%r` | a short name of a river: Wend |
/// | `%c` | an animal or a plant |
/// | `%s` | what the sea is named after |
/// | `%a` | a word that describes, by the kind of the place |
/// | `%o` | someone's: Shepherd's |
/// | `%n` | what a rock looks like |
/// | `%w`, `%x` | the first part of a compound, for summits and for water: `%whorn` is Greyhorn |
pub(crate) struct PlaceWords {
    pub(crate) firsts: &'static [&'static str],
    pub(crate) lasts: &'static [&'static str],
    pub(crate) climate: &'static ClimateWords,
    pub(crate) mountains: &'static [&'static str],
    pub(crate) hills: &'static [&'static str],
    pub(crate) lakes: &'static [&'static str],
    pub(crate) ponds: &'static [&'static str],
    pub(crate) rivers: &'static [&'static str],
    pub(crate) brooks: &'static [&'static str],
    pub(crate) seas: &'static [&'static str],
    pub(crate) bays: &'static [&'static str],
}

/// The words that follow from the climate.
pub(crate) struct ClimateWords {
    pub(crate) life: &'static [&'static str],
    pub(crate) sea: &'static [&'static str],
    pub(crate) rivers: &'static [&'static str],
    pub(crate) people: &'static [&'static str],
    pub(crate) rock_compounds: &'static [&'static str],
    pub(crate) water_compounds: &'static [&'static str],
    pub(crate) summit_adjectives: &'static [&'static str],
}

/// What a rock looks like, in any climate.
pub(crate) const ROCKS: &[&str] = &[
    "Anvil",
    "Sentinel",
    "Saddle",
    "Old King",
    "Spindle",
    "Watchman",
    "Throne",
    "Bell",
    "Needle",
    "Old Shepherd",
    "Giant",
    "Gable",
    "Pulpit",
    "Crown",
    "Chimney",
    "Prow",
    "Sleeper",
    "Whetstone",
    "Steeple",
    "Cold Man",
    "Stairs",
    "Two Brothers",
    "Sisters",
    "Helmet",
    "Lantern",
    "Rampart",
    "Hearth",
    "Grey Mare",
    "Cradle",
    "Plough",
];

pub(crate) const LAKE_ADJECTIVES: &[&str] = &[
    "Still", "Black", "White", "Grey", "Silver", "Long", "Deep", "Dark", "Bright", "Clear", "Quiet", "Hidden", "Green",
    "Blue", "Silent", "Glass", "Mirror", "Round", "Hollow", "Far", "Lonely", "Crooked", "Moon", "Star", "Shallow",
];

pub(crate) const SEA_ADJECTIVES: &[&str] = &[
    "Grey", "Middle", "Outer", "Inner", "Broad", "Silver", "Long", "Green", "Silent", "Bright", "Wide", "Blue",
    "Hollow", "Dark", "Stormy", "Shining", "Far", "Empty", "Sleeping", "Restless",
];

const TEMPERATE: ClimateWords = ClimateWords {
    life: &[
        "Heron", "Raven", "Hare", "Otter", "Hawk", "Swan", "Curlew", "Plover", "Lark", "Kestrel", "Hart", "Fox",
        "Brock", "Wren", "Rook", "Martin", "Eagle", "Falcon", "Stag", "Crane", "Teal", "Linnet", "Merlin", "Alder",
        "Ash", "Rowan", "Thorn", "Birch", "Hazel", "Willow", "Sedge", "Reed", "Bracken", "Heather", "Furze", "Elder",
        "Linden", "Holly", "Sorrel", "Aspen", "Briar", "Fern", "Hawthorn", "Bramble", "Sparrow", "Dove", "Lapwing",
        "Clover",
    ],
    sea: &[
        "Skerry",
        "Gannet",
        "Herring",
        "Lantern",
        "Kelp",
        "Gull",
        "Storm",
        "Selkie",
        "Cormorant",
        "Mariner",
        "Anchor",
        "Pilot",
        "Tern",
        "Puffin",
        "Porpoise",
        "Mackerel",
        "Oyster",
        "Compass",
        "Sandpiper",
        "Driftwood",
        "Bell",
    ],
    rivers: &[
        "Wend", "Arle", "Esker", "Orle", "Tave", "Laver", "Corve", "Ebble", "Marle", "Yarrow", "Wharl", "Aller",
        "Winnow", "Tarrow", "Ember", "Linnow", "Alne", "Sheaf", "Meon", "Lathe", "Windle", "Isen", "Dunnow", "Perrow",
        "Kell", "Rothe", "Carrow", "Mindle", "Sorrow", "Aune", "Thrim", "Brathe", "Larrow", "Ivel", "Welland", "Senn",
    ],
    people: &[
        "Shepherd's",
        "Drover's",
        "Pilgrim's",
        "King's",
        "Queen's",
        "Hermit's",
        "Piper's",
        "Miller's",
        "Abbot's",
        "Fiddler's",
        "Reeve's",
        "Friar's",
        "Falconer's",
        "Weaver's",
        "Tinker's",
        "Warden's",
        "Harper's",
        "Bellman's",
    ],
    rock_compounds: &[
        "Grey", "Black", "White", "Red", "Raven", "Hawk", "Hare", "Hart", "Thorn", "Ash", "Flint", "Slate", "Storm",
        "Wind", "Stag", "Rook", "Silver", "Cloud", "Fox", "Kestrel", "Mist", "Rowan", "Eagle",
    ],
    water_compounds: &[
        "Silver", "Black", "White", "Clear", "Swift", "Otter", "Alder", "Willow", "Sedge", "Reed", "Bright", "Winter",
        "Cold", "Ash", "Heron", "Hazel", "Sweet", "Wild", "Stone", "Green", "Swan", "Moon",
    ],
    summit_adjectives: &[
        "Grey", "Black", "White", "Red", "High", "Long", "Bleak", "Lone", "Bare", "Old", "Blue", "Great", "Broad",
        "Steep", "Windy", "Cloven", "Misty", "Hollow", "Bald", "Far", "Stormy", "Green",
    ],
};

const COLD: ClimateWords = ClimateWords {
    life: &[
        "Ptarmigan",
        "Skua",
        "Gull",
        "Fulmar",
        "Petrel",
        "Seal",
        "Wolf",
        "Bear",
        "Elk",
        "Owl",
        "Ermine",
        "Tern",
        "Lynx",
        "Goose",
        "Birch",
        "Pine",
        "Spruce",
        "Larch",
        "Juniper",
        "Lichen",
        "Moss",
        "Willow",
        "Crowberry",
        "Fir",
        "Raven",
        "Otter",
        "Marten",
        "Falcon",
        "Swan",
        "Diver",
        "Bunting",
        "Reindeer",
        "Cloudberry",
        "Bilberry",
        "Hare",
        "Rowan",
    ],
    sea: &[
        "Whale", "Narwhal", "Seal", "Fulmar", "Petrel", "Rime", "Gannet", "Walrus", "Skua", "Frost", "Gull", "Sealer",
        "Storm", "Winter", "Lantern", "Cod", "Floe", "Puffin", "Skerry", "Anchor", "Whaler", "Drift",
    ],
    rivers: &[
        "Isk", "Varl", "Keld", "Torr", "Skell", "Vind", "Orm", "Elv", "Narr", "Hald", "Isen", "Grann", "Rusk", "Senja",
        "Tarl", "Olma", "Kolm", "Yrsa", "Lumm", "Svell", "Runn", "Askel", "Ilma", "Haff", "Velm", "Njord", "Tolva",
    ],
    people: &[
        "Trapper's",
        "Hunter's",
        "Skald's",
        "Sealer's",
        "King's",
        "Giant's",
        "Whaler's",
        "Ferryman's",
        "Smith's",
        "Wanderer's",
        "Jarl's",
        "Skipper's",
        "Carver's",
        "Herder's",
        "Pilot's",
    ],
    rock_compounds: &[
        "Grey", "White", "Black", "Frost", "Rime", "Hoar", "Wolf", "Raven", "Storm", "Ice", "Iron", "Snow", "Winter",
        "Wind", "Bear", "Pale", "Cloud", "Star", "Sleet", "Blue", "Owl",
    ],
    water_compounds: &[
        "Silver", "Black", "White", "Cold", "Clear", "Grey", "Ice", "Rime", "Winter", "Birch", "Otter", "Elk", "Snow",
        "Pine", "Stone", "Glass", "Moss", "Swan",
    ],
    summit_adjectives: &[
        "White", "Grey", "Pale", "Blue", "Cold", "Bleak", "Long", "Silent", "Black", "High", "Lone", "Stormy", "Bare",
        "Hoary", "Far", "Great", "Frozen", "Windy", "Iron", "Glass",
    ],
};

const WARM: ClimateWords = ClimateWords {
    life: &[
        "Ibis",
        "Egret",
        "Pelican",
        "Heron",
        "Lion",
        "Leopard",
        "Gazelle",
        "Turtle",
        "Kingfisher",
        "Falcon",
        "Antelope",
        "Stork",
        "Flamingo",
        "Oryx",
        "Cedar",
        "Olive",
        "Palm",
        "Acacia",
        "Tamarind",
        "Cypress",
        "Fig",
        "Almond",
        "Laurel",
        "Myrtle",
        "Papyrus",
        "Lotus",
        "Saffron",
        "Cassia",
        "Jasmine",
        "Citron",
        "Teak",
        "Parrot",
        "Swift",
        "Hoopoe",
        "Oleander",
        "Mimosa",
        "Sandalwood",
        "Sunbird",
    ],
    sea: &[
        "Coral", "Turtle", "Dolphin", "Pearl", "Amber", "Marlin", "Palm", "Spice", "Sapphire", "Pelican", "Trader",
        "Lantern", "Frigate", "Ivory", "Monsoon", "Parrot", "Sponge", "Tamarind", "Mangrove", "Lotus", "Copper",
    ],
    rivers: &[
        "Tamar", "Amari", "Sirin", "Oronel", "Lira", "Cassin", "Mirel", "Savra", "Tessin", "Ambra", "Corin", "Zaren",
        "Halis", "Marenne", "Ondine", "Serrin", "Vasha", "Ilari", "Orsa", "Talune", "Samarel", "Navine", "Ardela",
    ],
    people: &[
        "Merchant's",
        "Prophet's",
        "Pilot's",
        "Sultan's",
        "Diver's",
        "Potter's",
        "Herder's",
        "Emperor's",
        "Dyer's",
        "Goatherd's",
        "Astronomer's",
        "Beekeeper's",
        "Sailor's",
        "Scribe's",
    ],
    rock_compounds: &[
        "Red", "Sun", "Amber", "Copper", "Storm", "Lion", "Hawk", "Ember", "Gold", "Thunder", "White", "Black",
        "Cloud", "Flint", "Falcon", "Salt", "Cedar", "Moon",
    ],
    water_compounds: &[
        "Red", "Gold", "Clear", "Reed", "Bright", "Amber", "Ibis", "Sweet", "Silver", "Cedar", "Green", "Palm",
        "Honey", "Copper", "Lotus", "Wild", "Sun",
    ],
    summit_adjectives: &[
        "Red", "Golden", "Blue", "Bright", "Burnt", "Long", "High", "Broad", "White", "Black", "Lone", "Great",
        "Copper", "Thunder", "Cloven", "Bare", "Sunlit", "Amber", "Painted", "Old",
    ],
};

/// The warmest mean temperature of cold country and the coolest of warm country, in °C.
const COLD_BELOW_C: f64 = 5.0;
const WARM_FROM_C: f64 = 19.0;

impl PlaceWords {
    /// Returns the countries of a climate, by its mean temperature in °C.
    pub(crate) fn of_climate(mean_c: f64) -> &'static [Self] {
        match mean_c {
            _ if mean_c < COLD_BELOW_C => COLD_COUNTRIES,
            _ if mean_c >= WARM_FROM_C => WARM_COUNTRIES,
            _ => TEMPERATE_COUNTRIES,
        }
    }
}

pub(crate) const TEMPERATE_COUNTRIES: &[PlaceWords] = &[
    // Fells.
    PlaceWords {
        firsts: &[
            "Har", "Ald", "Thor", "Kel", "Skel", "Wes", "Bran", "Bor", "Ask", "Grim", "Thirl", "Lang", "Stan", "Hal",
            "Win", "Cald", "Mer", "Gar", "Os", "Arn", "Wen", "Hesk",
        ],
        lasts: &[
            "row", "dane", "rick", "low", "ster", "wick", "ley", "mer", "stow", "den", "wen", "lin", "garth", "holm",
            "rith", "thorpe", "with", "dale", "ber", "nock",
        ],
        climate: &TEMPERATE,
        mountains: &[
            "%p Fell", "%p Fell", "%p Fell", "%p Pike", "%p Pike", "%c Crag", "%a Fell", "Great %p", "%p Knott",
            "%c Fell", "%whorn", "%wscar", "The %n", "High %p", "%p Edge", "%o Seat", "%a Pike", "%p Crag",
        ],
        hills: &[
            "%p How",
            "%c How",
            "%c Hill",
            "%p Nab",
            "%c Bank",
            "%p Beacon",
            "%a Hill",
            "%o Hill",
            "%wlaw",
            "%p Rigg",
            "%c Rigg",
            "The %n",
        ],
        lakes: &["%p Water", "%p Water", "%c Mere", "%p Mere", "%a Water", "%xmere", "%xwater", "%a Mere", "%o Mere"],
        ponds: &["%c Tarn", "%a Tarn", "%o Tarn", "%p Tarn", "%c Tarn", "%a Water"],
        rivers: &["River %r", "River %r", "%r", "River %p", "River %c", "%xrun", "%xburn", "%r Water"],
        brooks: &["%c Beck", "%p Beck", "%r Beck", "%o Beck", "%xburn", "%r", "%xrun", "%xbeck"],
        seas: &["The %s Deep", "The %s Deep", "%p Sea", "Sea of %p", "The %a Deep", "Gulf of %p", "The %a Sea"],
        bays: &["%s Sound", "%p Sound", "%p Bight", "%s Roads", "Bay of %p", "%p Firth", "%a Sound", "Gulf of %p"],
    },
    // Lochs.
    PlaceWords {
        firsts: &[
            "Al", "Ar", "Bal", "Car", "Cor", "Dal", "Dor", "El", "Fin", "Gar", "Kin", "Lor", "Mor", "Nev", "Or",
            "Ross", "Sal", "Tar", "Tor", "Ard", "Dun", "Mel", "Inver",
        ],
        lasts: &[
            "dane", "rin", "nach", "beth", "van", "nish", "lair", "gail", "mond", "ven", "rick", "more", "nell", "loy",
            "garry", "voe", "gair", "vie", "doran", "annan", "essan",
        ],
        climate: &TEMPERATE,
        mountains: &[
            "Ben %p", "Ben %p", "Ben %p", "Carn %p", "Carn %p", "Mount %p", "The %n", "%p Law", "%wstone", "%a Law",
            "Stob %p", "%c Crag", "%p More",
        ],
        hills: &["%p Law", "Dun %p", "%p Brae", "%c Hill", "%c Law", "%a Brae", "%o Cairn", "The %n", "%c Knowe"],
        lakes: &["Loch %p", "Loch %p", "Loch %p", "%c Loch", "%a Loch", "Loch %r", "%o Loch"],
        ponds: &["Lochan %p", "%c Loch", "%a Lochan", "%c Lochan", "%o Lochan"],
        rivers: &["River %p", "River %r", "River %r", "Water of %p", "%p Water", "%xburn", "%r", "%r Water"],
        brooks: &["%p Burn", "%c Burn", "%xburn", "%o Burn", "%r Burn", "%a Burn"],
        seas: &["Sea of %p", "The %s Deep", "Firth of %p", "%p Sea", "The %a Deep", "The %s Deep"],
        bays: &[
            "Sound of %p",
            "Sound of %p",
            "Firth of %p",
            "%s Sound",
            "%a Sound",
            "Bay of %p",
            "Kyle of %p",
            "%p Firth",
        ],
    },
    // Downs.
    PlaceWords {
        firsts: &[
            "Al", "Ash", "Barn", "Bur", "Cran", "Cul", "Dun", "El", "Fen", "Hal", "Har", "Lam", "Lin", "Mar", "Mel",
            "Nor", "Os", "Sel", "Stan", "Wal", "Wen", "Wil", "Ever", "Amber",
        ],
        lasts: &[
            "bourne", "bury", "combe", "den", "don", "field", "grove", "hurst", "ley", "low", "mere", "more", "over",
            "ridge", "ford", "stead", "wick", "worth", "vale",
        ],
        climate: &TEMPERATE,
        mountains: &[
            "%p Beacon",
            "%p Beacon",
            "%p Tor",
            "High %p",
            "%p Down",
            "%c Tor",
            "%wtor",
            "%o Beacon",
            "%p Edge",
            "The %n",
            "%a Tor",
            "Great %p",
        ],
        hills: &["%p Hill", "%p Down", "%c Hill", "%c Knoll", "%o Down", "%c Down", "%a Down", "%o Hill", "%p Ridge"],
        lakes: &["%p Mere", "%p Water", "%c Mere", "%a Mere", "%xmere", "%o Mere", "%c Broad", "%p Broad", "%a Water"],
        ponds: &["%c Pool", "%o Pool", "%a Pool", "%c Mere", "%xmere", "%p Pool"],
        rivers: &["River %r", "River %r", "%r", "%xbourne", "%xwater", "River %c", "River %r"],
        brooks: &["%c Brook", "%xbrook", "%r", "%xbourne", "%o Brook", "%r Brook", "%xrun"],
        seas: &["The %s Deep", "Sea of %p", "Gulf of %p", "The %a Sea", "The %p Deep", "%p Sea"],
        bays: &[
            "%p Bay",
            "%s Bay",
            "%p Roads",
            "%p Haven",
            "%p Sound",
            "%s Reach",
            "%a Reach",
            "Gulf of %p",
            "%s Sound",
        ],
    },
    // Carns.
    PlaceWords {
        firsts: &[
            "Per", "Tre", "Car", "Ros", "Lan", "Mor", "Gwen", "Tal", "Bryn", "Cad", "Nan", "Pol", "Ker", "Bos", "Tor",
            "Wen", "Mer", "El", "Dol", "Ar", "Mel", "Lew",
        ],
        lasts: &[
            "wen", "garrow", "nock", "vean", "dower", "ryn", "nance", "lowen", "mellin", "arth", "dreth", "vose",
            "gwyn", "varrow", "garth", "issey", "ennor", "ellis", "anwick", "mawgan",
        ],
        climate: &TEMPERATE,
        mountains: &[
            "Carn %p",
            "Carn %p",
            "%p Tor",
            "Mount %p",
            "%p Head",
            "%wtor",
            "The %n",
            "%p Beacon",
            "%c Tor",
            "%a Carn",
            "%whead",
            "%o Tor",
        ],
        hills: &["%p Down", "%c Hill", "%p Hill", "%c Tor", "%c Carn", "%a Down", "%o Down", "%p Beacon", "The %n"],
        lakes: &["%p Pool", "%a Water", "Lake %p", "%c Mere", "%p Mere", "%p Water", "%xmere", "Lake %r"],
        ponds: &["%p Pool", "%c Pool", "%a Pool", "%o Pool", "%c Mere"],
        rivers: &["River %p", "River %r", "River %r", "%r", "%xwater", "%r", "%xflow"],
        brooks: &["%p Brook", "%c Brook", "%r", "%xbrook", "%o Brook", "%xwater"],
        seas: &["%p Sea", "The %s Deep", "Sea of %p", "The %a Sea", "Gulf of %p", "The %p Deep"],
        bays: &["Bay of %p", "%p Bay", "%s Sound", "%p Roads", "%p Reach", "%s Bay", "%a Sound", "%s Roads"],
    },
];

pub(crate) const COLD_COUNTRIES: &[PlaceWords] = &[
    // Fjords.
    PlaceWords {
        firsts: &[
            "Hald", "Skar", "Vind", "Tor", "Ragn", "Ulf", "Sten", "Brand", "Eld", "Iver", "Kald", "Lund", "Norr",
            "Rim", "Sol", "Stor", "Vard", "Orm", "Ask", "Thran", "Hav", "Arn",
        ],
        lasts: &[
            "vik", "ness", "heim", "dal", "mark", "gard", "holt", "vorn", "rond", "mund", "sund", "varg", "stad",
            "lund", "vang", "hella",
        ],
        climate: &COLD,
        mountains: &[
            "%p Horn", "Mount %p", "%whorn", "%whorn", "%p Peak", "The %n", "%c Horn", "%wspire", "%wfang", "%a Horn",
            "%p Fell", "%o Chair",
        ],
        hills: &["%p Hill", "%c Ridge", "%p Knoll", "%wrigg", "%a Ridge", "%c Knoll", "%o Knoll", "The %n", "%p Fell"],
        lakes: &["Lake %p", "%p Water", "%c Lake", "%a Lake", "%xwater", "Lake %r", "%a Water", "%o Water"],
        ponds: &["%c Tarn", "%a Tarn", "%a Lake", "%o Tarn", "%p Tarn", "%c Lake"],
        rivers: &["River %p", "River %r", "%r", "%xflow", "%r", "%p River", "%xwater"],
        brooks: &["%xbeck", "%c Beck", "%r", "%xrill", "%p Beck", "%o Beck", "%r Beck"],
        seas: &["The %s Deep", "The %a Sea", "%p Sea", "The %p Deep", "The %s Sea", "The %a Deep"],
        bays: &[
            "%p Sound", "%s Sound", "%p Fjord", "%p Fjord", "%s Bight", "%p Bay", "%a Sound", "%s Fjord", "The Sund",
        ],
    },
    // Names of explorers.
    PlaceWords {
        firsts: &[
            "Al", "Bar", "Bel", "Cal", "Car", "Dal", "El", "Fal", "Fen", "Hal", "Har", "Ken", "Lan", "Mor", "Mel",
            "Nor", "Par", "Ren", "Ros", "Sel", "Tal", "Tor", "War", "Wel",
        ],
        lasts: &[
            "by", "don", "der", "ford", "grave", "land", "lock", "low", "mer", "ner", "rick", "row", "dale", "son",
            "ton", "wick", "win", "worth", "stead", "thorne",
        ],
        climate: &COLD,
        mountains: &[
            "Mount %p", "Mount %p", "Mount %p", "%p Peak", "%whorn", "The %n", "%a Peak", "%wcap", "%p Spire",
            "%a Spire",
        ],
        hills: &["%p Hill", "%c Hill", "%p Bluff", "%p Ridge", "%c Bluff", "%a Ridge", "%o Lookout", "The %n"],
        lakes: &["Lake %p", "Lake %p", "%c Lake", "%a Lake", "%o Lake", "Lake %r"],
        ponds: &["%c Lake", "%a Lake", "%c Pool", "%a Pool", "%o Pool", "%p Pool"],
        rivers: &["%p River", "%c River", "River %r", "%xwater", "%a River", "%r River", "%o River"],
        brooks: &["%c Creek", "%p Creek", "%r Creek", "%xbrook", "%o Creek", "%a Creek"],
        seas: &["%p Sea", "The %a Sea", "%p Deep", "The %s Deep", "The %s Sea"],
        bays: &["%p Sound", "%p Strait", "%p Bay", "%p Inlet", "%s Bay", "%s Sound", "%a Bay", "%s Inlet"],
    },
];

pub(crate) const WARM_COUNTRIES: &[PlaceWords] = &[
    // A warm inland sea.
    PlaceWords {
        firsts: &[
            "Ala", "Ama", "Ara", "Cala", "Cor", "Dala", "Eli", "Fara", "Isa", "Kala", "Lira", "Mar", "Ora", "Pala",
            "Sala", "Sera", "Tala", "Tamar", "Vala", "Zar", "Mira", "Cassa", "Levan", "Ori",
        ],
        lasts: &[
            "dor", "mir", "nos", "ris", "thea", "lona", "vara", "saro", "dara", "zan", "don", "rada", "cante", "nor",
            "bel", "lis", "van", "quil", "monte", "thys",
        ],
        climate: &WARM,
        mountains: &[
            "Mount %p",
            "Mount %p",
            "Mount %p",
            "%p Peak",
            "The %n",
            "%c Peak",
            "%wcrest",
            "%a Peak",
            "%p Heights",
            "%o Seat",
            "%wcrown",
            "%a Mountain",
        ],
        hills: &["%p Hill", "%c Hill", "%p Ridge", "%o Hill", "%a Hill", "%c Ridge", "The %n", "%p Rise"],
        lakes: &["Lake %p", "Lake %p", "%c Lake", "%a Lake", "%p Water", "Lake %r", "%o Lake"],
        ponds: &["%c Pool", "%a Pool", "%c Lagoon", "%p Pool", "%o Pool", "%c Lake"],
        rivers: &["River %r", "River %p", "%p River", "River %r", "%c River", "%xwater", "%r"],
        brooks: &["%c Creek", "%c Brook", "%r", "%xwater", "%p Brook", "%o Brook", "%xbrook"],
        seas: &["Sea of %p", "Sea of %p", "%p Sea", "The %s Sea", "The %a Sea", "Gulf of %p"],
        bays: &[
            "Gulf of %p",
            "Bay of %p",
            "%s Bay",
            "%p Bay",
            "%s Sound",
            "%p Roads",
            "%s Lagoon",
            "%a Bay",
            "%s Haven",
        ],
    },
    // Islands of the trade winds.
    PlaceWords {
        firsts: &[
            "Ka", "Ma", "Ta", "Lo", "Nu", "Oru", "Pala", "Ra", "Sa", "Tio", "Va", "Ba", "Alo", "Ili", "Tama", "Kora",
            "Mele", "Ave", "Sola", "Uma", "Rino",
        ],
        lasts: &[
            "lani", "mori", "nua", "rova", "tavi", "toa", "vanu", "leo", "ruba", "sina", "hiri", "tara", "vai", "lomi",
            "rani", "reva", "tui", "kaia",
        ],
        climate: &WARM,
        mountains: &[
            "Mount %p",
            "Mount %p",
            "%p Peak",
            "%p Peak",
            "The %n",
            "%c Peak",
            "%wcrest",
            "%a Mountain",
            "%p",
            "%a Peak",
            "%wcrown",
        ],
        hills: &["%p Hill", "%c Hill", "%p Ridge", "%o Hill", "%a Hill", "%c Rise", "%o Lookout", "The %n", "%p Rise"],
        lakes: &["Lake %p", "Lake %p", "%c Lake", "%a Lake", "%p Water", "%c Lagoon", "%o Lake"],
        ponds: &["%c Pool", "%a Pool", "%c Lagoon", "%p Pool", "%o Pool", "%a Lagoon"],
        rivers: &["%p River", "%c River", "%r River", "%xwater", "River %r", "%a River", "%p River"],
        brooks: &["%c Creek", "%p Creek", "%xwater", "%o Creek", "%a Creek", "%r Creek", "%c Brook"],
        seas: &["%p Sea", "Sea of %p", "The %s Sea", "The %a Deep", "The %s Deep", "The %a Sea"],
        bays: &[
            "%p Bay",
            "%p Bay",
            "%s Bay",
            "%p Passage",
            "%s Lagoon",
            "%p Sound",
            "%s Passage",
            "Bay of %p",
            "%a Lagoon",
        ],
    },
];
