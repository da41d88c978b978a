extension TimerSpec {
  /// Examples of the grammar and their meanings, for the help and the empty board.
  package static let examples: [(text: String, meaning: String)] =
    [
      ("tea=3m", "once; also tea 3m, in 3 minutes"),
      ("sets=every 45s x8", "repeats; also every 45s 8 times"),
      ("every 1h 30m", "without end; also every hour"),
      ("90s 05:00 1:30:00", "durations; also 5 min, 1.5h, 1w"),
      ("5m 10m", "two timers; 10m 5s is one"),
      ("at 14:30", "at a time of day; also 2:30pm, noon, until 17:00, at 2027-01-31T09:00"),
      ("tomorrow 9am", "also fri 9:00, on 24 dec 18:00"),
      ("weekdays 09:55", "repeats; also every monday at 9, first monday of the month at 9"),
      ("daily 8:00 and 20:00", "several times; also last day of the month at 9 and 18"),
      ("every 2h from 9 to 17", "on the clock; also weekdays every 15m from 9 to 17"),
      ("cron '0 9 * * 1-5'", "a cron expression; also cron @daily"),
      ("at 9:00 in Asia/Tokyo", "in another time zone"),
      ("cycle 25/5 x4", "minutes; four rounds, no last rest"),
      ("pomodoro", "a preset; see carillon presets"),
      ("cycle jog 1m/walk 30s", "phases with names of their own"),
      ("stopwatch", "counts up, with laps"),
      (
        "debounce 2s max 10s",
        "triggered with f: fires when quiet, or after 10s; also leading, both"
      ),
      ("throttle 5s deferred", "triggered with f: fires after 5s; without deferred, also at once"),
      ("coalesce 1m", "triggered with f: fires a minute after the first"),
      ("idle 10m", "triggered with f: fires only when quiet for 10m"),
    ] + Word.all.flatMap(\.examples)
}
