package model

import "slices"

// The types of SwaggerForOcelot 10.0, which reads the same files with a few
// members more and writes all of them.
var (
	swaggerConfiguration = Type{
		Name:      "SwaggerFileConfiguration",
		Namespace: swaggerNamespace,
		Members: []Member{
			{Name: "Routes", Shape: List, Object: &swaggerRoute, Present: true},
			{Name: "DynamicRoutes", Shape: List, Object: &dynamicRoute, Present: true},
			{Name: "Aggregates", Shape: List, Object: &aggregateRoute, Present: true},
			{Name: "GlobalConfiguration", Object: &globalConfiguration, Present: true},
			{Name: "SwaggerEndPoints", Shape: List, Object: &swaggerEndPoint, Present: true},
		},
	}
	swaggerRoute = Type{
		Name:      "SwaggerFileRoute",
		Namespace: swaggerNamespace,
		Members:   slices.Concat([]Member{{Name: "SwaggerKey", Scalar: String}}, route.Members),
	}
	swaggerEndPoint = Type{
		Name:      "SwaggerEndPointOptions",
		Namespace: swaggerNamespace,
		Members: []Member{
			{Name: "Key", Scalar: String},
			{Name: "VersionPlaceholder", Scalar: String, Present: true, Initial: []string{"{version}"}},
			{Name: "KeyToPath", Scalar: String, Flags: GetOnly},
			{Name: "Config", Shape: List, Object: &swaggerEndPointConfig},
			{Name: "HostOverride", Scalar: String},
			{Name: "TransformByOcelotConfig", Scalar: Bool, Present: true, Initial: []string{"true"}},
			{Name: "RemoveUnusedComponentsFromScheme", Scalar: Bool, Present: true, Initial: []string{"true"}},
			{Name: "TakeServersFromDownstreamService", Scalar: Bool, Present: true, Initial: []string{"false"}},
		},
	}
	swaggerEndPointConfig = Type{
		Name:      "SwaggerEndPointConfig",
		Namespace: swaggerNamespace,
		Members: []Member{
			{Name: "Name", Scalar: String},
			{Name: "Version", Scalar: String},
			{Name: "Url", Scalar: String},
			{Name: "Service", Object: &swaggerService},
		},
	}
	swaggerService = Type{
		Name:      "SwaggerService",
		Namespace: swaggerNamespace,
		Members: []Member{
			{Name: "Name", Scalar: String},
			{Name: "Path", Scalar: String},
		},
	}
)

const swaggerNamespace = "MMLib.SwaggerForOcelot.Configuration."

// SwaggerRoot returns the type of a whole configuration as SwaggerForOcelot
// reads it, SwaggerFileConfiguration.
func SwaggerRoot() *Type { return &swaggerConfiguration }
