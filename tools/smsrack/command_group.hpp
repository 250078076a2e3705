/// Where each command's file declares it: its words, help and options, and the function that runs.
#pragma once

#include "tools/smsrack/command.hpp"

#include <CLI/CLI.hpp>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::cli {

/// What the help says of a command.
struct CommandHelp {
    const char* name;
    const char* what;                        ///< it does, in half a sentence
    std::vector<std::string> examples = {};  ///< without "smsrack " before them
};

/// A declared command, for adding its options. The references are valid until the words are read.
template <typename Options>
struct Declared {
    CLI::App& app;
    Options& options;
    /// Called when the options are read: throws CLI::ParseError where they do not agree.
    std::function<void()>& check;
};

/// The program, or a word such as "modem" that has commands of its own.
class CommandGroup {
public:
    /// The command that is called goes into `chosen`. Both outlive the group and its copies.
    CommandGroup(CLI::App& app, Command& chosen) : app_(app), chosen_(chosen) {}

    [[nodiscard]] CommandGroup group(const char* name, const char* what) const;

    /// A command with options of its own.
    template <typename Options>
    Declared<Options> command(const CommandHelp& help, Outcome<> (*run)(const Options&, Context&),
                              Options options = {}) const {
        struct Held {
            Options options;
            std::function<void()> check = {};
        };
        const auto held = std::make_shared<Held>(std::move(options));
        CLI::App& app = add(help);
        app.callback([held, run, &chosen = chosen_] {
            if (held->check) {
                held->check();
            }
            chosen = Command(held->options, run);
        });
        return {app, held->options, held->check};
    }

    /// A command with one required argument, `argument`, and no options.
    CLI::App& command(const CommandHelp& help, const char* argument, const char* what,
                      Outcome<> (*run)(const std::string&, Context&)) const;

    /// A command without options.
    void command(const CommandHelp& help, Outcome<> (*run)(Context&)) const;

private:
    [[nodiscard]] CLI::App& add(const CommandHelp& help) const;

    CLI::App& app_;
    Command& chosen_;
};

}  // namespace smsrack::cli
