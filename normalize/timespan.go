package normalize

import "fmt"

// timeSpan prints milliseconds as .NET prints a TimeSpan by default.
func timeSpan(ms int64) string {
	sign := ""
	if ms < 0 {
		sign, ms = "-", -ms
	}
	days, ms := ms/86_400_000, ms%86_400_000
	text := fmt.Sprintf("%02d:%02d:%02d", ms/3_600_000, ms/60_000%60, ms/1000%60)
	if days > 0 {
		text = fmt.Sprintf("%d.%s", days, text)
	}
	if rest := ms % 1000; rest > 0 {
		text += fmt.Sprintf(".%03d0000", rest)
	}
	return sign + text
}
