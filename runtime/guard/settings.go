package guard

// Settings returns the names of all settings that can stay unenforced, of the
// proxy itself too, sorted. They are what proxy.Options.AllowUnenforced takes.
func Settings() []string {
	return []string{
		"aggregate", "aggregator", "any-certificate", "authentication", "cache", "claims", "client-ips", "handlers",
		"load-balancer", "rate-limit", "request-headers", "request-id", "response-headers", "shared-cookies",
	}
}
