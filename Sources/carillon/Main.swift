import CarillonRuntime

@main
enum Main {
  static func main() { Program.main() }
}
