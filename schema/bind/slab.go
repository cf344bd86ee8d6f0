package bind

import "github.com/margay-dev/margay/schema/config"

// slab hands out values from chunks that double in size, so that 100 000
// sections cost a few dozen allocations. The zero value is empty and ready.
type slab[T any] struct {
	free  []T
	chunk int
}

const (
	firstChunk = 8
	lastChunk  = 2048
)

// one returns a new zero value.
func (s *slab[T]) one() *T { return &s.many(1)[0] }

// many returns n new zero values with no room to grow.
func (s *slab[T]) many(n int) []T {
	if n > len(s.free) {
		s.chunk = min(max(2*s.chunk, firstChunk), lastChunk)
		s.free = make([]T, max(n, s.chunk))
	}
	out := s.free[:n:n]
	s.free = s.free[n:]
	return out
}

// slabs are what configurations hold many of; other objects are allocated one
// by one.
type slabs struct {
	lists   slab[texts]
	items   slab[line]
	dicts   slab[dict]
	entries slab[config.Entry]

	hosts          slab[config.HostAndPort]
	qos            slab[config.QoSOptions]
	authentication slab[config.AuthenticationOptions]
	cache          slab[config.CacheOptions]
	handler        slab[config.HttpHandlerOptions]
	balancer       slab[config.LoadBalancerOptions]
	rateLimit      slab[config.RateLimitByHeaderRule]
	security       slab[config.SecurityOptions]
	resilience     slab[config.Resilience]
	retry          slab[config.Retry]
}

func qosSlab(s *slabs) *slab[config.QoSOptions]                       { return &s.qos }
func authenticationSlab(s *slabs) *slab[config.AuthenticationOptions] { return &s.authentication }
func cacheSlab(s *slabs) *slab[config.CacheOptions]                   { return &s.cache }
func handlerSlab(s *slabs) *slab[config.HttpHandlerOptions]           { return &s.handler }
func balancerSlab(s *slabs) *slab[config.LoadBalancerOptions]         { return &s.balancer }
func rateLimitSlab(s *slabs) *slab[config.RateLimitByHeaderRule]      { return &s.rateLimit }
func securitySlab(s *slabs) *slab[config.SecurityOptions]             { return &s.security }
func resilienceSlab(s *slabs) *slab[config.Resilience]                { return &s.resilience }
func retrySlab(s *slabs) *slab[config.Retry]                          { return &s.retry }
