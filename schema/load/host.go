package load

// HostDefaults returns what ASP.NET Core's default builder adds before the
// program adds anything: variables with the prefixes of the host, appsettings
// of all and of the environment, all variables, and the command line.
// What the program adds comes later and wins (recorded: vars.default-host).
func HostDefaults(environment string, variables, arguments []string) []Provider {
	providers := []Provider{
		Variables{Prefix: "ASPNETCORE_", List: variables},
		Variables{Prefix: "DOTNET_", List: variables},
		File{Name: "appsettings.json", Optional: true, Reload: true},
		File{Name: "appsettings." + environment + ".json", Optional: true, Reload: true},
		Variables{List: variables},
	}
	if len(arguments) > 0 {
		providers = append(providers, CommandLine{Arguments: arguments})
	}
	return providers
}
