/** Names in generated WGSL that users choose: those of ports and uniforms. */

/** Matches the names that WGSL allows if they are not reserved (section 3.6, "Identifiers"). */
export const identifier = /^(?!_$|__)[\p{XID_Start}_]\p{XID_Continue}*$/u;

/** The keywords and reserved words of WGSL (sections 16.1, "Keyword Summary", and 16.2, "Reserved Words"). */
const reserved: ReadonlySet<string> = new Set(
  (
    "NULL Self abstract active alias alignas alignof as asm asm_fragment async attribute auto await become break case cast catch class " +
    "co_await co_return co_yield coherent column_major common compile compile_fragment concept const const_assert const_cast consteval " +
    "constexpr constinit continue continuing crate debugger decltype default delete demote demote_to_helper diagnostic discard do " +
    "dynamic_cast else enable enum explicit export extends extern external fallthrough false filter final finally fn for friend from " +
    "fxgroup get goto groupshared highp if impl implements import inline instanceof interface layout let loop lowp macro macro_rules " +
    "match mediump meta mod module move mut mutable namespace new nil noexcept noinline nointerpolation non_coherent noncoherent " +
    "noperspective null nullptr of operator override package packoffset partition pass patch pixelfragment precise precision premerge " +
    "priv protected pub public readonly ref regardless register reinterpret_cast require requires resource restrict return self set " +
    "shared sizeof smooth snorm static static_assert static_cast std struct subroutine super switch target template this thread_local " +
    "throw trait true try type typedef typeid typename typeof union unless unorm unsafe unsized use using var varying virtual volatile " +
    "wgsl where while with writeonly yield"
  ).split(" "),
);

/**
 * The name of a uniform as a member of a struct. WGSL does not allow reserved words there, such as `loop` and `filter`. Their last letter
 * changes its case, so that the columns in compilers' messages stay as they are: `looP`.
 */
export const memberOf = (uniform: string): string =>
  reserved.has(uniform) ? uniform.replace(/.$/, (last) => (last < "a" ? last.toLowerCase() : last.toUpperCase())) : uniform;

/** The code with the members' names in place of those of uniforms. */
export const withMembers = (code: string): string =>
  code.replace(/(\buniforms\s*\.\s*)(\w+)/g, (_all, before: string, uniform: string) => before + memberOf(uniform));
