// Runs the shell script next to it, FILE.sh, with its arguments: for tests that need a binary whose
// behaviour they write down.
#include <cstdio>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

int main(int argc, char** argv) {
    std::string script = std::filesystem::read_symlink("/proc/self/exe").string() + ".sh";
    std::string shell = "/bin/sh";
    std::vector<char*> words{shell.data(), script.data()};
    words.insert(words.end(), argv + 1, argv + argc);
    words.push_back(nullptr);
    execv(words.front(), words.data());
    std::perror(shell.c_str());
    return 127;
}
