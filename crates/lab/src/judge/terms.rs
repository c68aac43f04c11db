/// An enum of terms: of each its name, its word, which it is displayed as, and what it means, as a part of a sentence.
macro_rules! terms {
    ($(#[$of:meta])* pub enum $terms:ident { $($(#[$about:meta])* $term:ident = $word:literal: $meaning:literal,)* }) => {
        $(#[$of])*
        pub enum $terms {
            $($(#[$about])* $term,)*
        }

        impl $terms {
            /// All, in their order.
            pub const ALL: [$terms; [$($word),*].len()] = [$($terms::$term),*];

            fn words(self) -> [&'static str; 2] {
                match self {
                    $($terms::$term => [$word, $meaning],)*
                }
            }

            /// What it means, as a part of a sentence.
            pub fn meaning(self) -> &'static str {
                self.words()[1]
            }
        }

        impl std::fmt::Display for $terms {
            fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str(self.words()[0])
            }
        }
    };
}

pub(crate) use terms;
