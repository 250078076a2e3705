# What bash would offer: `smsrack completion bash` is the one that knows the commands.
function __smsrack_offered
    bash -c 'source /usr/share/bash-completion/completions/smsrack
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _smsrack
        printf "%s\n" "${COMPREPLY[@]}"' bash (commandline -opc) "$(commandline -ct)" 2>/dev/null
end
complete -c smsrack -f -a '(__smsrack_offered)'
