{{- define "hushkit.name" -}}
{{- if contains "hushkit" .Release.Name -}}{{ .Release.Name | trunc 53 | trimSuffix "-" }}
{{- else -}}{{ printf "%s-hushkit" .Release.Name | trunc 53 | trimSuffix "-" }}
{{- end -}}
{{- end -}}

{{- define "hushkit.selector" -}}
app.kubernetes.io/name: hushkit
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "hushkit.labels" -}}
{{ include "hushkit.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "hushkit.claim" -}}
{{ .Values.persistence.existingClaim | default (include "hushkit.name" .) }}
{{- end -}}
