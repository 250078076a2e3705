/// `smsrack completion bash`: prints a script for bash, generated from the options. The script asks
/// the service for names of modems, groups, batches, triggers and clients when they are needed
/// (`smsrack names`).
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace smsrack::cli {

/// A command with its possible arguments.
struct CommandNode {
    std::string name = {};
    std::vector<std::string> options = {};        ///< "--to", "-h"
    std::vector<std::string> value_options = {};  ///< those of them that take a value
    bool takes_file = false;                      ///< its positional argument is a file
    /// Its positional argument is a name of this kind: "modem", "batch" ...
    std::string takes_name = {};
    std::vector<CommandNode> children = {};
};

/// All commands below `app`, as they are declared.
[[nodiscard]] CommandNode node_of(const CLI::App& app);

/// The script. Load it with: source <(smsrack completion bash)
[[nodiscard]] std::string bash_completion(const CommandNode& root);

}  // namespace smsrack::cli
