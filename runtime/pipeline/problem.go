package pipeline

import (
	"cmp"
	"encoding/json"
	"net/http"
)

// problem is a document of RFC 9457. Its type is the default, about:blank: the
// status says it all.
type problem struct {
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail,omitzero"`
}

// problem returns the answer to c as problem details.
func (c cause) problem() Answer {
	status := cmp.Or(c.problemAs, c.status)
	body, _ := json.Marshal(problem{Title: title(status), Status: status, Detail: c.detail}) // texts and a number always fit
	return Answer{
		Status:      status,
		RetryAfter:  seconds(c.retryAfter),
		ContentType: "application/problem+json",
		Body:        string(body),
	}
}

// title is the standard text of a status; RFC 9457 wants no other for
// about:blank.
func title(status int) string { return cmp.Or(http.StatusText(status), "Unknown") }
