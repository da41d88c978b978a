// The differences between systems, in one place: a file that needs the C library, FoundationEssentials or
// System imports this module instead. (TimerKit and TimerKitFoundation, which stand alone as products, have
// their own, and UnixSockets, which TimerKitInspector uses too, passes the C library on.)
@_exported public import UnixSockets

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
