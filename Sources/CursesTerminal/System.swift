#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// The C library's names, free of the methods that share them.

func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, bytes, count)
}

func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}

@discardableResult
func systemClose(_ descriptor: Int32) -> Int32 {
  close(descriptor)
}
