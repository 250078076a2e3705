/// `smsrack completion bash`: prints a script for bash, generated from the options. The script asks
/// the service for names of modems, groups, batches, triggers and clients when they are needed
/// (`smsrack names`).
#pragma once

#include "tools/smsrack/context.hpp"
#include "tools/smsrack/outcome.hpp"

#include <string>
#include <vector>

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

struct CompletionOptions {
    CommandNode root = {};
};

[[nodiscard]] Outcome<> run(const CompletionOptions& options, Context& context);

/// The script. Load it with: source <(smsrack completion bash)
[[nodiscard]] std::string bash_completion(const CommandNode& root);

}  // namespace smsrack::cli
