import TerminalCore
import TimerKit
