//! `setters!`: chainable setters of public fields.

/// Declares setters inside an `impl` block: `with_radius(radius: u32)` sets the field `radius` and returns the changed value.
///
/// Configurations are `#[non_exhaustive]`, so that a new field breaks no user; other crates therefore cannot use a
/// struct literal. With `impl Into<…>` as its type, a setter converts its argument into the type of the field.
#[doc(hidden)]
#[macro_export]
macro_rules! setters {
    ($($setter:ident($field:ident: $value:ty),)+) => {$(
        #[doc = concat!("Sets [`", stringify!($field), "`](field@Self::", stringify!($field), ").")]
        #[must_use]
        pub fn $setter(mut self, $field: $value) -> Self {
            self.$field = $field.into();
            self
        }
    )+};
}
