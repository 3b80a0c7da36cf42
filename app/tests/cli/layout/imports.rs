//! Finds the imports between the files of a crate.
//!
//! An import is a name in a `use`, or a path in code, in an attribute or in the arguments of a macro. It leads to the file
//! that defines the name, through re-exports and globs. A module does not import the children that it re-exports. Code
//! under `#[cfg(test)]` does not count.
//!
//! Not found: paths in strings (`#[serde(with = "…")]`), a `use` in the arguments of a macro, method calls. If a name is
//! both a module and a re-export, only the module is found.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Attribute, Item, Meta, Token, UseTree, Visibility};

/// The files of `src/`: path below `src/`, and text.
pub(super) type Sources = BTreeMap<String, String>;

/// The identifiers of a path: `["crate", "grid", "Grid"]`, or of a module, from the root: `["grid"]`.
type Names = Vec<String>;

/// A module: a file, or an inline `mod name { … }`.
#[derive(Default)]
struct Module {
    file: String,
    defined: BTreeSet<String>,
    /// The paths behind every name that a `use` brings into the module: several, if they depend on `#[cfg(…)]`.
    used: BTreeMap<String, Vec<Names>>,
    globs: Vec<Names>,
}

/// A path in the code, as it is written.
struct Reference {
    module: Names,
    line: usize,
    path: Names,
    kind: Kind,
    is_glob: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    PrivateUse,
    Reexport,
    Code,
}

/// One file imports a name that another file defines.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Import {
    pub(super) from: String,
    pub(super) to: String,
    pub(super) line: usize,
    /// The name, as it is written.
    pub(super) path: String,
    /// `true` if the name is taken from the crate root.
    pub(super) is_from_root: bool,
}

/// Returns the imports of the crate: `lib.rs` and all modules that it declares.
pub(super) fn imports(sources: &Sources) -> Vec<Import> {
    Crate::read(sources).imports()
}

// ---- Reading: which modules there are, and what they refer to ----

#[derive(Default)]
struct Crate {
    modules: BTreeMap<Names, Module>,
    references: Vec<Reference>,
    /// Modules that are declared and not read yet.
    unread: Vec<Names>,
    /// The module that is being read, and the number of blocks around the current item.
    current: Names,
    block_depth: usize,
}

impl Crate {
    fn read(sources: &Sources) -> Self {
        let mut found = Self { unread: vec![Names::new()], ..Self::default() };
        while let Some(module) = found.unread.pop() {
            let base = if module.is_empty() { "lib".into() } else { module.join("/") };
            let file =
                [format!("{base}.rs"), format!("{base}/mod.rs")].into_iter().find(|file| sources.contains_key(file));
            let file = file.unwrap_or_else(|| panic!("src/{base}.rs is declared, but missing"));
            let syntax = syn::parse_file(&sources[&file]).unwrap_or_else(|error| panic!("src/{file}: {error}"));
            found.modules.insert(module.clone(), Module { file, ..Module::default() });
            found.current = module;
            found.visit_file(&syntax);
        }
        found
    }

    fn current_module(&mut self) -> &mut Module {
        self.modules.get_mut(&self.current).expect("the current module is known")
    }

    /// Adds every name in the tree of a `use`.
    fn add_use(&mut self, tree: &UseTree, mut path: Names, kind: Kind) {
        let (ident, alias) = match tree {
            UseTree::Path(start) => {
                path.push(start.ident.to_string());
                return self.add_use(&start.tree, path, kind);
            }
            UseTree::Group(group) => {
                return group.items.iter().for_each(|tree| self.add_use(tree, path.clone(), kind));
            }
            UseTree::Glob(glob) => {
                if self.block_depth == 0 {
                    self.current_module().globs.push(path.clone());
                }
                return self.add_reference(glob.star_token.spans[0], path, true, kind);
            }
            UseTree::Name(name) => (&name.ident, &name.ident),
            UseTree::Rename(renamed) => (&renamed.ident, &renamed.rename),
        };
        if ident != "self" {
            path.push(ident.to_string());
        }
        let name = if alias == "self" { path.last().cloned().unwrap_or_default() } else { alias.to_string() };
        if self.block_depth == 0 {
            self.current_module().used.entry(name).or_default().push(path.clone());
        }
        self.add_reference(ident.span(), path, false, kind);
    }

    /// Adds a path that is not in a `use`. Paths without a name, such as the `super` of `pub(super)`, lead nowhere.
    fn add_path<'a>(&mut self, idents: impl IntoIterator<Item = &'a Ident>) {
        let idents: Vec<_> = idents.into_iter().collect();
        let path: Names = idents.iter().map(ToString::to_string).collect();
        if !path.iter().all(|name| ["crate", "self", "super"].contains(&name.as_str())) {
            self.add_reference(idents[0].span(), path, false, Kind::Code);
        }
    }

    /// Adds the paths among tokens that are not parsed.
    fn add_tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<Ident> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
                TokenTree::Ident(ident) if colons == 2 => {
                    path.push(ident);
                    colons = 0;
                }
                other => {
                    self.add_path(&std::mem::take(&mut path));
                    colons = 0;
                    match other {
                        TokenTree::Ident(ident) => path.push(ident),
                        TokenTree::Group(group) => self.add_tokens(group.stream()),
                        _ => {}
                    }
                }
            }
        }
        self.add_path(&path);
    }

    fn add_reference(&mut self, span: Span, path: Names, is_glob: bool, kind: Kind) {
        let (module, line) = (self.current.clone(), span.start().line);
        self.references.push(Reference { module, line, path, kind, is_glob });
    }
}

impl<'ast> Visit<'ast> for Crate {
    fn visit_item(&mut self, item: &'ast Item) {
        let (ident, attributes) = ident_and_attributes(item);
        if is_for_tests(attributes) {
            return;
        }
        if let Some(ident) = ident
            && self.block_depth == 0
        {
            self.current_module().defined.insert(ident.to_string());
        }
        visit::visit_item(self, item);
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        let child = joined(&self.current, &item.ident.to_string());
        let Some((_, items)) = &item.content else { return self.unread.push(child) };
        let file = self.current_module().file.clone();
        self.modules.entry(child.clone()).or_default().file = file;
        let parent = std::mem::replace(&mut self.current, child);
        items.iter().for_each(|item| self.visit_item(item));
        self.current = parent;
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if item.leading_colon.is_none() {
            let kind = if matches!(item.vis, Visibility::Inherited) { Kind::PrivateUse } else { Kind::Reexport };
            self.add_use(&item.tree, Names::new(), kind);
        }
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        if !is_for_tests(&function.attrs) {
            visit::visit_impl_item_fn(self, function);
        }
    }

    fn visit_block(&mut self, block: &'ast syn::Block) {
        self.block_depth += 1;
        visit::visit_block(self, block);
        self.block_depth -= 1;
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.leading_colon.is_none() {
            self.add_path(path.segments.iter().map(|segment| &segment.ident));
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.visit_path(&call.path);
        self.add_tokens(call.tokens.clone());
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        if let Meta::List(list) = &attribute.meta {
            self.add_tokens(list.tokens.clone());
        }
    }

    fn visit_visibility(&mut self, _: &'ast Visibility) {} // the path in `pub(in path)` is no import
}

fn ident_and_attributes(item: &Item) -> (Option<&Ident>, &[Attribute]) {
    match item {
        Item::Const(item) => (Some(&item.ident), &item.attrs),
        Item::Enum(item) => (Some(&item.ident), &item.attrs),
        Item::Fn(item) => (Some(&item.sig.ident), &item.attrs),
        Item::Impl(item) => (None, &item.attrs),
        Item::Macro(item) => (item.ident.as_ref(), &item.attrs),
        Item::Mod(item) => (None, &item.attrs),
        Item::Static(item) => (Some(&item.ident), &item.attrs),
        Item::Struct(item) => (Some(&item.ident), &item.attrs),
        Item::Trait(item) => (Some(&item.ident), &item.attrs),
        Item::Type(item) => (Some(&item.ident), &item.attrs),
        Item::Union(item) => (Some(&item.ident), &item.attrs),
        Item::Use(item) => (None, &item.attrs),
        _ => (None, &[]),
    }
}

/// Returns `true` if the attributes hold `#[test]`, `#[cfg(test)]` or `#[cfg(all(test, …))]`.
fn is_for_tests(attributes: &[Attribute]) -> bool {
    fn needs_test(condition: &Meta) -> bool {
        match condition {
            Meta::Path(path) => path.is_ident("test"),
            Meta::List(list) if list.path.is_ident("all") => list
                .parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)
                .is_ok_and(|conditions| conditions.iter().any(needs_test)),
            _ => false,
        }
    }
    attributes.iter().any(|attribute| {
        let is_cfg = attribute.path().is_ident("cfg");
        attribute.path().is_ident("test") || is_cfg && attribute.parse_args().is_ok_and(|meta| needs_test(&meta))
    })
}

fn joined(module: &[String], name: &str) -> Names {
    module.iter().cloned().chain([name.into()]).collect()
}

// ---- Resolving: which file defines what a path names ----

/// The number of re-exports and globs that are followed before a path counts as not found: some lead to themselves.
const MAX_STEPS: usize = 16;

impl Crate {
    fn imports(&self) -> Vec<Import> {
        let mut imports = Vec::new();
        let mut used_names = BTreeSet::new();
        for reference in &self.references {
            let Reference { module, line, path, kind, is_glob } = reference;
            if *kind == Kind::Code && path.len() == 1 && self.modules.contains_key(&joined(module, &path[0])) {
                continue; // a variable or a field with the name of a module
            }
            let from = &self.modules[module].file;
            let own_folder: String = module.iter().map(|name| format!("{name}/")).collect();
            let is_from_root = self.is_from_root(module, path);
            for to in self.defining_files(module, path, *is_glob, MAX_STEPS) {
                if to == from || *kind == Kind::Reexport && to.starts_with(&own_folder) {
                    continue;
                }
                let is_from_root = is_from_root && to != "lib.rs" && from != "lib.rs";
                let written = path.join("::") + if *is_glob { "::*" } else { "" };
                let import = Import { from: from.clone(), to: to.into(), line: *line, path: written, is_from_root };
                if *kind != Kind::Code {
                    used_names.insert((from, to, path.last()));
                    imports.push((import, None));
                } else {
                    imports.push((import, path.first()));
                }
            }
        }
        // After `use super::Grid`, neither `Grid` nor `Grid::new` is one more import.
        imports.retain(|(import, start)| start.is_none() || !used_names.contains(&(&import.from, &import.to, *start)));
        let mut imports: Vec<_> = imports.into_iter().map(|(import, _)| import).collect();
        imports.sort();
        imports.dedup_by(|next, import| next.from == import.from && next.to == import.to && next.path == import.path);
        imports
    }

    /// Returns `true` if the first name of a path after `crate` is a name in `lib.rs`, not a module.
    fn is_from_root(&self, module: &[String], path: &[String]) -> bool {
        self.start(module, path).is_some_and(|(module, rest)| {
            module.is_empty() && rest.first().is_none_or(|name| !self.modules.contains_key(&joined(&[], name)))
        })
    }

    /// Returns the files that define what `path` names in `module`: none for another crate, several for a glob.
    fn defining_files(&self, module: &[String], path: &[String], is_glob: bool, steps: usize) -> BTreeSet<&str> {
        let Some((module, rest)) = self.start(module, path) else { return BTreeSet::new() };
        match self.descend(&module, rest) {
            (target, []) if is_glob => self.files_of_all_names(&target, steps),
            (target, rest) => self.files_of_name(&target, rest, steps),
        }
    }

    /// Splits a path of this crate into the module where it starts and the rest. `None`: it leads to another crate.
    fn start<'a>(&self, module: &[String], path: &'a [String]) -> Option<(Names, &'a [String])> {
        let (mut module, mut rest) = (module.to_vec(), path);
        match path.first()?.as_str() {
            "crate" => (module, rest) = (Names::new(), &path[1..]),
            "self" => rest = &path[1..],
            "super" => {}
            name if self.has_name(&module, name) => {}
            _ => return None,
        }
        while rest.first().is_some_and(|name| name == "super") {
            module.pop();
            rest = &rest[1..];
        }
        Some((module, rest))
    }

    /// Follows a path as far as it names modules.
    fn descend<'a>(&self, module: &[String], mut path: &'a [String]) -> (Names, &'a [String]) {
        let mut module = module.to_vec();
        while let Some((name, rest)) = path.split_first()
            && self.modules.contains_key(&joined(&module, name))
        {
            module.push(name.clone());
            path = rest;
        }
        (module, path)
    }

    fn has_name(&self, module: &[String], name: &str) -> bool {
        let has_child = self.modules.contains_key(&joined(module, name));
        let module = &self.modules[module];
        has_child || module.defined.contains(name) || module.used.contains_key(name)
    }

    /// Returns the files behind `path`, which starts in `module` with a name that is not a module.
    fn files_of_name(&self, module: &[String], path: &[String], steps: usize) -> BTreeSet<&str> {
        let here = &self.modules[module];
        let itself = BTreeSet::from([here.file.as_str()]);
        let Some((name, rest)) = path.split_first() else { return itself };
        let Some(steps) = steps.checked_sub(1) else { return BTreeSet::new() };
        if here.defined.contains(name) {
            return itself;
        }
        if let Some(used) = here.used.get(name) {
            let paths = used.iter().map(|start| [start, rest].concat());
            return paths.flat_map(|path| self.defining_files(module, &path, false, steps)).collect();
        }
        for glob in &here.globs {
            if let Some((start, rest)) = self.start(module, glob)
                && let (target, []) = self.descend(&start, rest)
                && self.has_name(&target, name)
            {
                return self.defining_files(&target, path, false, steps);
            }
        }
        itself // made by a macro
    }

    /// Returns the files behind everything that `module::*` imports.
    fn files_of_all_names(&self, module: &[String], steps: usize) -> BTreeSet<&str> {
        let Some(steps) = steps.checked_sub(1) else { return BTreeSet::new() };
        let here = &self.modules[module];
        let names = here.defined.iter().chain(here.used.keys());
        let of_names = names.flat_map(|name| self.files_of_name(module, std::slice::from_ref(name), steps));
        let of_globs = here.globs.iter().flat_map(|glob| self.defining_files(module, glob, true, steps));
        of_names.chain(of_globs).collect()
    }
}
