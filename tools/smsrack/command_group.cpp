#include "tools/smsrack/command_group.hpp"

#include "tools/smsrack/help.hpp"

namespace smsrack::cli {

CommandGroup CommandGroup::group(const char* name, const char* what) const {
    CLI::App& app = *app_.add_subcommand(name, what);
    app.require_subcommand(1);
    return {app, chosen_};
}

CLI::App& CommandGroup::command(const CommandHelp& help, const char* argument, const char* what,
                                Outcome<> (*run)(const std::string&, Context&)) const {
    const auto declared = command(help, run);
    declared.app.add_option(argument, declared.options, what)->required();
    return declared.app;
}

void CommandGroup::command(const CommandHelp& help, Outcome<> (*run)(Context&)) const {
    using Run = Outcome<> (*)(Context&);
    command<Run>(
        help, [](const Run& held, Context& context) { return held(context); }, run);
}

CLI::App& CommandGroup::add(const CommandHelp& help) const {
    CLI::App& app = *app_.add_subcommand(help.name, help.what);
    app.footer(footer_of(help.examples));
    return app;
}

}  // namespace smsrack::cli
