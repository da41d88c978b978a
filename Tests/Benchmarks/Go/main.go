// The samples of the system "go": timers of Go's runtime, as time.AfterFunc makes them. It takes the arguments of the
// command `sample` and prints the same JSON.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

type readings map[string]float64

// A reading of CLOCK_PROCESS_CPUTIME_ID, in nanoseconds.
func cpu() int64 {
	var time syscall.Timespec
	syscall.Syscall(syscall.SYS_CLOCK_GETTIME, 2, uintptr(unsafe.Pointer(&time)), 0)
	return time.Nano()
}

// Waits until the process uses no CPU, or for a tenth of a second, because the garbage collector may still run, and
// returns the CPU time.
func idleCPU() int64 {
	before := cpu()
	for i := 0; i < 25; i++ {
		time.Sleep(4 * time.Millisecond)
		after := cpu()
		if after-before < 50_000 {
			return after
		}
		before = after
	}
	return before
}

func heap() uint64 {
	runtime.GC()
	var statistics runtime.MemStats
	runtime.ReadMemStats(&statistics)
	return statistics.HeapAlloc
}

const hour = 1000 * time.Second

func churnBatch(count int) {
	for i := 0; i < count; i++ {
		time.AfterFunc(hour, func() {}).Stop()
	}
}

func churn() readings {
	churnBatch(2_000)
	began, end, count := idleCPU(), time.Now().Add(200*time.Millisecond), 0
	for ; time.Now().Before(end); count += 2_000 {
		churnBatch(2_000)
	}
	cost := float64(idleCPU()-began) / float64(count)
	return readings{"cpu": cost, "caller": cost}
}

// Eight goroutines at once, as the row "threads8".
func threads() readings {
	const threads, each = 8, 20_000
	var group sync.WaitGroup
	began := idleCPU()
	for i := 0; i < threads; i++ {
		group.Add(1)
		go func() { churnBatch(each); group.Done() }()
	}
	group.Wait()
	return readings{"cpu": float64(idleCPU()-began) / (threads * each)}
}

// Batches of timers that another goroutine stops.
func handOver() readings {
	const batches, each = 100, 1_000
	timers, done := make(chan []*time.Timer), make(chan bool)
	go func() {
		for batch := range timers {
			for _, timer := range batch {
				timer.Stop()
			}
		}
		done <- true
	}()
	began := idleCPU()
	for i := 0; i < batches; i++ {
		batch := make([]*time.Timer, each)
		for j := range batch {
			batch[j] = time.AfterFunc(hour, func() {})
		}
		timers <- batch
	}
	close(timers)
	<-done
	return readings{"cpu": float64(idleCPU()-began) / (batches * each)}
}

func population(count int) readings {
	sums, cycles := readings{}, 0
	for end := time.Now().Add(time.Second); cycles < 2 || time.Now().Before(end); cycles++ {
		random := rand.New(rand.NewSource(int64(count)))
		delays, timers := make([]time.Duration, count), make([]*time.Timer, count)
		for i := range delays {
			delays[i] = hour + time.Duration(random.Int63n(int64(hour)))
		}
		order, before := random.Perm(count), heap()
		began := idleCPU()
		add := func(name string) {
			now := idleCPU()
			sums[name] += float64(now-began) / float64(count)
			began = now
		}
		for i := range timers {
			timers[i] = time.AfterFunc(delays[i], func() {})
		}
		add("create")
		if cycles == 0 {
			sums["heap"] = float64(heap()-before) / float64(count)
			began = idleCPU()
		}
		for _, i := range order {
			timers[i].Reset(2 * hour)
		}
		add("moveLater")
		for _, i := range order {
			timers[i].Reset(delays[i])
		}
		add("moveAnywhere")
		if cycles%2 == 0 {
			for _, i := range order {
				timers[i].Stop()
			}
			add("cancelShuffled")
		} else {
			for i := range timers {
				timers[count-1-i].Stop()
			}
			add("cancel")
		}
	}
	cancelled := map[string]int{"cancelShuffled": (cycles + 1) / 2, "cancel": cycles / 2, "heap": 1}
	for name := range sums {
		divisor, ok := cancelled[name]
		if !ok {
			divisor = cycles
		}
		sums[name] /= float64(divisor)
	}
	sums["lifetime"] = sums["create"] + sums["cancel"]
	return sums
}

func fire(count int, spread int64, lead int64) (readings, error) {
	rounds := 40_000 / count
	if rounds < 1 {
		rounds = 1
	} else if rounds > 20 {
		rounds = 20
	}
	var cost int64
	for round := -1; round < rounds; round++ {
		var fired int64
		done := make(chan bool, 1)
		first := time.Now().Add(60*time.Millisecond + time.Duration(int64(count)*2_000*lead))
		timers := make([]*time.Timer, count)
		for i, offset := range rand.Perm(count) {
			at := first.Add(time.Duration(int64(offset) * spread / int64(count)))
			timers[i] = time.AfterFunc(time.Until(at), func() {
				if atomic.AddInt64(&fired, 1) == int64(count) {
					done <- true
				}
			})
		}
		idleCPU()
		if time.Until(first) < 20*time.Millisecond {
			return nil, fmt.Errorf("notReadyInTime")
		}
		time.Sleep(time.Until(first) - 5*time.Millisecond)
		began := cpu()
		<-done
		if ended := idleCPU(); round >= 0 || rounds == 1 {
			cost += ended - began
		}
		runtime.KeepAlive(timers)
		if rounds == 1 {
			break
		}
	}
	return readings{"cpu": float64(cost) / float64(rounds*count)}, nil
}

// Timers that are set again whenever they fire, each on its grid.
func every(interval time.Duration, first time.Time, body func()) {
	next := first
	var timer *time.Timer
	ready := make(chan bool, 1)
	timer = time.AfterFunc(time.Until(first), func() {
		<-ready
		body()
		next = next.Add(interval)
		timer.Reset(time.Until(next))
		ready <- true
	})
	ready <- true
}

// Timers with an interval each, from the first fire on; measured between two instants.
func ticks(intervals []time.Duration, lasting time.Duration) readings {
	var fired int64
	for _, interval := range intervals {
		every(interval, time.Now().Add(60*time.Millisecond), func() { atomic.AddInt64(&fired, 1) })
	}
	time.Sleep(300 * time.Millisecond)
	began, before := cpu(), atomic.LoadInt64(&fired)
	time.Sleep(lasting)
	return readings{"cpu": float64(cpu()-began) / float64(atomic.LoadInt64(&fired)-before)}
}

func sample(row string, count int, lead int64) (readings, error) {
	switch row {
	case "churn":
		return churn(), nil
	case "threads8":
		return threads(), nil
	case "handOver":
		return handOver(), nil
	case "population":
		return population(count), nil
	case "instant":
		return fire(count, 0, lead)
	case "distinct":
		return fire(count, 900_000, lead)
	case "steady":
		intervals := make([]time.Duration, 1_000)
		for i := range intervals {
			intervals[i] = 50 * time.Millisecond
		}
		return ticks(intervals, 2*time.Second), nil
	case "sparse":
		intervals := make([]time.Duration, 150)
		for i := range intervals {
			intervals[i] = time.Duration((i+1)*7+50) * time.Millisecond
		}
		return ticks(intervals, 4*time.Second), nil
	}
	return nil, fmt.Errorf("no such row")
}

func main() {
	flags := flag.NewFlagSet("sample", flag.ExitOnError)
	row, _ := flags.String("row", "", ""), flags.String("system", "go", "")
	size, lead := flags.Int("size", 1, ""), flags.Int64("lead", 1, "")
	flags.Parse(os.Args[2:])
	const reads = 200_000
	began := cpu()
	for i := 0; i < reads; i++ {
		time.Now()
	}
	clockRead := float64(cpu()-began) / reads
	outcome := map[string]any{}
	values, err := sample(*row, *size, *lead)
	if err == nil {
		pairs := []any{}
		for name, value := range values {
			pairs = append(pairs, name, value)
		}
		outcome["readings"] = map[string]any{"_0": pairs}
	} else if err.Error() == "notReadyInTime" {
		outcome["notReadyInTime"] = map[string]any{}
	} else {
		outcome["unsupported"] = map[string]any{"_0": err.Error()}
	}
	json.NewEncoder(os.Stdout).Encode(map[string]any{"clockRead": clockRead, "outcome": outcome})
}
