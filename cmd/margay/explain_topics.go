package main

import (
	"fmt"
	"strings"

	"github.com/margay-dev/margay/emit/surprise"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/prose"
	"github.com/margay-dev/margay/validate"
	"github.com/margay-dev/margay/validate/rules"
)

// topicList lists what there are pages about, in lines of at most width columns.
func topicList(width int) string {
	var b strings.Builder
	listRules(&b)
	topicHeading(&b, "Where the documentation and the program differ", width)
	for _, name := range profile.AllDivergences.Names() {
		fmt.Fprintf(&b, "  %s\n", name)
	}
	topicHeading(&b, "What changes from one version to the next", width)
	for _, s := range surprise.Surprises() {
		first := fmt.Sprintf("  %s  %-13s  ", s.ID, s.From+" → "+s.To)
		prose.Paragraph(&b, first, prose.Pad("", prose.Wide(first)), s.Title, width)
	}
	topicHeading(&b, "What margay serve does otherwise than Ocelot on purpose", width)
	fmt.Fprintf(&b, "  %s\n", differencesTopic)
	topicHeading(&b, "What each version of Ocelot does", width)
	fmt.Fprintf(&b, "  %s\n\n", versionsTopic)
	prose.Paragraph(&b, "", "", "margay explain NAME shows a page, margay explain ROUTE PATH a route.", width)
	return b.String()
}

// listRules lists the rules by category, each with its severity in one column.
func listRules(b *strings.Builder) {
	all := rules.All()
	longest := 0
	for _, rule := range all {
		longest = max(longest, len(rule.Name))
	}
	for category := validate.Reading; category <= validate.Housekeeping; category++ {
		headed := false
		for _, rule := range all {
			if rule.Category != category {
				continue
			}
			if !headed {
				headed = true
				fmt.Fprintf(b, "\n%s\n", category)
			}
			fmt.Fprintf(b, "  %-*s %s\n", longest, rule.Name, rule.Severity)
		}
	}
}

func topicHeading(b *strings.Builder, text string, width int) {
	b.WriteByte('\n')
	prose.Paragraph(b, "", "", text, width)
}
