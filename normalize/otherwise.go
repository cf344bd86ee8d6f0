package normalize

// situation returns what decided the route.
func (r *Route) situation() situation {
	cfg := r.gateway.Config
	s := situation{
		own: r.Own, global: r.Global, excluded: r.Excluded,
		globalTimeout: cfg.Global.Timeout,
		resilience:    r.Resilience,
		unlisted:      r.Kind == Unlisted,
	}
	if base := r.Base(); base != nil {
		s.timeout = base.Timeout
	}
	if section := cfg.Global.QoSOptions; section != nil {
		s.grouped = section.RouteKeys.Len() > 0
		if s.unlisted {
			s.global, s.excluded = &section.QoSOptions, false
		}
	}
	return s
}

// Otherwise returns the route as the other side of its divergences gives it:
// as the program runs it where the profile is the documentation, by the
// documentation where the profile is a program.
func (r *Route) Otherwise() Route {
	o := *r
	o.under = 0
	if r.under == 0 {
		o.under = programOf(r.gateway.Profile)
	}
	if r.Kind == Aggregate {
		return o
	}
	s := r.situation()
	result := s.resolve(o.by(), &QoS{})
	o.QoS = result.QoS
	o.set(&result.timeouts, r.Divergences)
	return o
}
