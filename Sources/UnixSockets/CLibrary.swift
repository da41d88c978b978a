// The C library of the system. This target depends on no other package, because TimerKitInspector uses it.
#if canImport(Darwin)
  @_exported public import Darwin
#elseif canImport(Musl)
  @_exported public import Musl
#else
  @_exported public import Glibc
#endif
