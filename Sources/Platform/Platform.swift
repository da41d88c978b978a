// The differences between systems, in one place: a file that needs the C library, FoundationEssentials or
// System imports this module instead. (TimerKit and TimerKitFoundation, which stand alone as products, have
// their own.)
#if canImport(Darwin)
  @_exported public import Darwin
#elseif canImport(Musl)
  @_exported public import Musl
#else
  @_exported public import Glibc
#endif

#if canImport(FoundationEssentials)
  @_exported public import FoundationEssentials
#else
  @_exported public import Foundation
#endif

#if canImport(System)
  @_exported public import System
#else
  @_exported public import SystemPackage
#endif
