import ArgumentParser

@main
struct Carillon: ParsableCommand {
  func run() {}
}
