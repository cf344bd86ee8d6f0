package normalize_test

import (
	"testing"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/profile"
)

// TestRewriteSections is about the names beside QoSOptions. Where a rename could
// change something, the name stays and is named.
func TestRewriteSections(t *testing.T) {
	for _, tt := range []struct {
		name, text, want string
		renamed          int
		kept             []normalize.KeptWhy
	}{
		{name: "a section", renamed: 1,
			text: `{"Routes":[{"FileCacheOptions": {"TtlSeconds": 5}}]}`,
			want: `{"Routes":[{"CacheOptions": {"TtlSeconds": 5}}]}`},
		{name: "of two sections the deprecated one counts", renamed: 1,
			text: `{"Routes":[{"CacheOptions": {"TtlSeconds": 9}, "FileCacheOptions": {"TtlSeconds": 5}}]}`,
			want: `{"Routes":[{"CacheOptions": {"TtlSeconds": 5}}]}`},
		{name: "a section that is null counts nothing",
			text: `{"Routes":[{"CacheOptions": {"TtlSeconds": 9}, "FileCacheOptions": null}]}`,
			want: `{"Routes":[{"CacheOptions": {"TtlSeconds": 9}}]}`},
		{name: "a section of a dynamic route, with names in it", renamed: 2,
			text: `{"DynamicRoutes":[{"RateLimitOptions": {"HttpStatusCode": 400}, "RateLimitRule": {"HttpStatusCode": 418}}]}`,
			want: `{"DynamicRoutes":[{"RateLimitOptions": {"StatusCode": 418}}]}`},

		{name: "rate limits", renamed: 5,
			text: `{"Routes":[{"RateLimitOptions": {"HttpStatusCode": 429, "QuotaExceededMessage": "no", "RateLimitCounterPrefix": "p", "DisableRateLimitHeaders": true, "PeriodTimespan": 1.5}}]}`,
			want: `{"Routes":[{"RateLimitOptions": {"StatusCode": 429, "QuotaMessage": "no", "KeyPrefix": "p", "EnableHeaders": false, "Wait": "1500ms"}}]}`},
		{name: "values written as text", renamed: 2,
			text: `{"Routes":[{"RateLimitOptions": {"disableRateLimitHeaders": "False", "periodTimespan": "10"}}]}`,
			want: `{"Routes":[{"RateLimitOptions": {"enableHeaders": true, "wait": "10s"}}]}`},
		{name: "nulls stay nulls", renamed: 2,
			text: `{"Routes":[{"RateLimitOptions": {"DisableRateLimitHeaders": null, "PeriodTimespan": null}}]}`,
			want: `{"Routes":[{"RateLimitOptions": {"EnableHeaders": null, "Wait": null}}]}`},
		{name: "of both names the deprecated one counts", renamed: 1,
			text: `{"Routes":[{"RateLimitOptions": {"Wait": "5s", "PeriodTimespan": 0.0}}]}`,
			want: `{"Routes":[{"RateLimitOptions": {"Wait": "0s"}}]}`},
		{name: "a part of a millisecond", kept: []normalize.KeptWhy{normalize.Unwritable},
			text: `{"Routes":[{"RateLimitOptions": {"PeriodTimespan": 0.0005}}]}`,
			want: `{"Routes":[{"RateLimitOptions": {"PeriodTimespan": 0.0005}}]}`},
		{name: "global and route together", renamed: 2,
			text: `{"Routes":[{"RateLimitOptions": {"HttpStatusCode": 1}}],"GlobalConfiguration":{"RateLimitOptions": {"HttpStatusCode": 2}}}`,
			want: `{"Routes":[{"RateLimitOptions": {"StatusCode": 1}}],"GlobalConfiguration":{"RateLimitOptions": {"StatusCode": 2}}}`},
		{name: "the global name beats a route", kept: []normalize.KeptWhy{normalize.Mixed, normalize.Mixed},
			text: `{"Routes":[{"RateLimitOptions": {"StatusCode": 1}}, {"RateLimitOptions": {"HttpStatusCode": 3}}],"GlobalConfiguration":{"RateLimitOptions": {"HttpStatusCode": 2}}}`,
			want: `{"Routes":[{"RateLimitOptions": {"StatusCode": 1}}, {"RateLimitOptions": {"HttpStatusCode": 3}}],"GlobalConfiguration":{"RateLimitOptions": {"HttpStatusCode": 2}}}`},
		{name: "one that stays holds back the global one", kept: []normalize.KeptWhy{normalize.GlobalStays, normalize.Unwritable},
			text: `{"Routes":[{"RateLimitOptions": {"PeriodTimespan": -1}}],"GlobalConfiguration":{"RateLimitOptions": {"PeriodTimespan": 2}}}`,
			want: `{"Routes":[{"RateLimitOptions": {"PeriodTimespan": -1}}],"GlobalConfiguration":{"RateLimitOptions": {"PeriodTimespan": 2}}}`},

		{name: "a scheme becomes a list", renamed: 1,
			text: `{"Routes":[{"AuthenticationOptions": {"AuthenticationProviderKey": "Bear\u0065r <a>", "AllowedScopes": []}}]}`,
			want: `{"Routes":[{"AuthenticationOptions": {"AuthenticationProviderKeys": ["Bearer <a>"], "AllowedScopes": []}}]}`},
		{name: "beside an empty list", renamed: 1,
			text: `{"Routes":[{"AuthenticationOptions": {"AuthenticationProviderKey": "A", "AuthenticationProviderKeys": []}}]}`,
			want: `{"Routes":[{"AuthenticationOptions": {"AuthenticationProviderKeys": ["A"]}}]}`},
		{name: "a blank scheme is none",
			text: `{"Routes":[{"AuthenticationOptions": {"AuthenticationProviderKey": "", "AuthenticationProviderKeys": ["A"]}}]}`,
			want: `{"Routes":[{"AuthenticationOptions": {"AuthenticationProviderKeys": ["A"]}}]}`},
		{name: "beside a list", kept: []normalize.KeptWhy{normalize.Joined},
			text: `{"Routes":[{"AuthenticationOptions": {"AuthenticationProviderKey": "A", "AuthenticationProviderKeys": ["B"]}}]}`,
			want: `{"Routes":[{"AuthenticationOptions": {"AuthenticationProviderKey": "A", "AuthenticationProviderKeys": ["B"]}}]}`},
		{name: "a route joins the global list", kept: []normalize.KeptWhy{normalize.Joined},
			text: `{"Routes":[{"AuthenticationOptions": {"AuthenticationProviderKey": "A"}}],"GlobalConfiguration":{"AuthenticationOptions": {"AuthenticationProviderKeys": ["B"]}}}`,
			want: `{"Routes":[{"AuthenticationOptions": {"AuthenticationProviderKey": "A"}}],"GlobalConfiguration":{"AuthenticationOptions": {"AuthenticationProviderKeys": ["B"]}}}`},
		{name: "a route with a list joins the global scheme", kept: []normalize.KeptWhy{normalize.Joined},
			text: `{"Routes":[{"AuthenticationOptions": {"AuthenticationProviderKeys": ["A"]}}],"GlobalConfiguration":{"AuthenticationOptions": {"AuthenticationProviderKey": "B"}}}`,
			want: `{"Routes":[{"AuthenticationOptions": {"AuthenticationProviderKeys": ["A"]}}],"GlobalConfiguration":{"AuthenticationOptions": {"AuthenticationProviderKey": "B"}}}`},
		{name: "the global scheme alone", renamed: 1,
			text: `{"Routes":[{"AuthenticationOptions": {"AllowedScopes": ["s"]}}],"GlobalConfiguration":{"AuthenticationOptions": {"AuthenticationProviderKey": "B"}}}`,
			want: `{"Routes":[{"AuthenticationOptions": {"AllowedScopes": ["s"]}}],"GlobalConfiguration":{"AuthenticationOptions": {"AuthenticationProviderKeys": ["B"]}}}`},
		{name: "a name twice", kept: []normalize.KeptWhy{normalize.Scattered},
			text: `{"Routes":[{"AuthenticationOptions": {"AllowedScopes": {}, "AllowedScopes": {}, "AuthenticationProviderKey": "A"}}]}`,
			want: `{"Routes":[{"AuthenticationOptions": {"AllowedScopes": {}, "AllowedScopes": {}, "AuthenticationProviderKey": "A"}}]}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cfg := must(t, tt.text)
			r := normalize.Rewrite(normalize.Resolve(cfg, profile.Profile{Version: "25.0"}), normalize.RewriteOptions{})
			edited := apply(cfg, r.Edits)
			if edited != tt.want || r.Renamed != tt.renamed {
				t.Errorf("%d renamed, want %d\ngot  %s\nwant %s", r.Renamed, tt.renamed, edited, tt.want)
			}
			if len(r.Kept) != len(tt.kept) {
				t.Fatalf("kept %v, want %v", r.Kept, tt.kept)
			}
			for i, kept := range r.Kept {
				if kept.Why != tt.kept[i] {
					t.Errorf("kept for %d, want %d", kept.Why, tt.kept[i])
				}
			}
			again := normalize.Rewrite(normalize.Resolve(must(t, edited), profile.Profile{Version: "25.0"}), normalize.RewriteOptions{})
			if len(again.Edits) > 0 {
				t.Errorf("a second time edits again: %v", again.Edits)
			}
		})
	}
}
