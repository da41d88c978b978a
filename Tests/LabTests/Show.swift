import Testing
@testable import Lab
@Test func show() { for s in Scene.all where ["buffer","accuracy","background"].contains(s.id) { print("=== \(s.id)"); print(s.plainText()); print(); print(s.plainText(width: 118)); print(s.codeText) } }
