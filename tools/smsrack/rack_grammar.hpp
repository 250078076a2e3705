/// The options and arguments of `watch`, `export`, `preview` and `names`.
#pragma once

#include "tools/smsrack/command_line.hpp"

#include <string>

namespace CLI {
class App;
}

namespace smsrack::cli {

class RackGrammar {
public:
    /// What is called goes into `chosen`, which outlives the object.
    explicit RackGrammar(Command& chosen) : chosen_(chosen) {}

    /// The object outlives the parsing.
    void declare(CLI::App& app);

private:
    void declare_watch(CLI::App& app);
    void declare_export(CLI::App& app);
    void declare_names(CLI::App& app);

    Command& chosen_;
    WatchOptions watch_;
    ExportOptions export_;
    std::string format_ = "csv";
    NamesOptions names_;
};

}  // namespace smsrack::cli
