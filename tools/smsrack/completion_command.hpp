/// `smsrack completion bash`: a script for bash, made of the options as they are. Names of modems, groups, batches, triggers and
/// clients it asks of the service when they are needed (`smsrack names`).
#pragma once

#include "tools/smsrack/context.hpp"
#include "tools/smsrack/outcome.hpp"

#include <string>
#include <vector>

namespace smsrack::cli {

/// A command with what may stand behind it.
struct CommandNode {
    std::string name = {};
    std::vector<std::string> options = {};        ///< "--to", "-h"
    std::vector<std::string> value_options = {};  ///< those of them that take a value
    bool takes_file = false;                      ///< its positional argument is a file
    std::string takes_name =
        {};  ///< its positional argument is a name of this kind: "modem", "batch" ...
    std::vector<CommandNode> children = {};
};

struct CompletionOptions {
    CommandNode root = {};
};

[[nodiscard]] Outcome<> run(const CompletionOptions& options, Context& context);

/// The script. Load it with: source <(smsrack completion bash)
[[nodiscard]] std::string bash_completion(const CommandNode& root);

}  // namespace smsrack::cli
